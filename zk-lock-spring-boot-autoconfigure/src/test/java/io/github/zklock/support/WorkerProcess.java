/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.zklock.support;

import java.time.Duration;

/**
 * A {@link LockWorker} in a small JVM of its own, which can be ended like any process.
 */
public final class WorkerProcess implements AutoCloseable {

	static final String PREFIX = "worker: ";

	private final JavaProcess process;

	private WorkerProcess(String... arguments) {
		this.process = JavaProcess.of(LockWorker.class.getName()).readsInput().start(arguments);
	}

	/**
	 * Start a worker and wait until it is connected.
	 * @param connectString where it connects to
	 * @param sessionTimeout the timeout of its session
	 * @return the worker
	 */
	public static WorkerProcess start(String connectString, Duration sessionTimeout) {
		WorkerProcess worker = new WorkerProcess("--zk-lock.connect-string=" + connectString,
				"--zk-lock.session-timeout=" + sessionTimeout.toMillis() + "ms", "--zk-lock.fail-fast=true",
				"--zk-lock.startup-timeout=60s", "--spring.main.web-application-type=none",
				"--spring.main.banner-mode=off", "--spring.main.keep-alive=true");
		worker.expect("ready");
		return worker;
	}

	/**
	 * Send a command and wait for its answer.
	 * @param command the command
	 * @return the answer
	 */
	public String ask(String command) {
		tell(command);
		return answer();
	}

	/**
	 * Send a command.
	 * @param command the command
	 */
	public void tell(String command) {
		this.process.write(command);
	}

	/**
	 * Wait for the next answer.
	 * @return the answer
	 */
	public String answer() {
		return this.process.takeLine(PREFIX);
	}

	/**
	 * Wait for an answer that begins with a text.
	 * @param start the text
	 */
	public void expect(String start) {
		String answer = answer();
		if (!answer.startsWith(start)) {
			throw new AssertionError("Expected '" + start + "', but " + this + " answered '" + answer + "'");
		}
	}

	/**
	 * Return the number of the process.
	 * @return its pid
	 */
	public long pid() {
		return this.process.pid();
	}

	/**
	 * End the process at once, as a crash does (SIGKILL).
	 */
	public void kill() {
		this.process.close();
	}

	/**
	 * Ask the process to end (SIGTERM).
	 */
	public void terminate() {
		this.process.terminate();
	}

	@Override
	public void close() {
		this.process.close();
	}

	@Override
	public String toString() {
		return "worker " + this.process.pid();
	}

}
