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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A {@link LockWorker} in a small JVM of its own, which can be killed, stopped and
 * resumed like any process.
 */
public final class WorkerProcess implements AutoCloseable {

	static final String PREFIX = "worker: ";

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final Process process;

	private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

	private WorkerProcess(Process process) {
		this.process = process;
		Thread reader = new Thread(this::read, "worker-" + process.pid());
		reader.setDaemon(true);
		reader.start();
	}

	/**
	 * Start a worker and wait until it is connected.
	 * @param connectString where it connects to
	 * @param sessionTimeout the timeout of its session
	 * @return the worker
	 */
	public static WorkerProcess start(String connectString, Duration sessionTimeout) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx96m",
						"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
						LockWorker.class.getName(), "--zk-lock.connect-string=" + connectString,
						"--zk-lock.session-timeout=" + sessionTimeout.toMillis() + "ms", "--zk-lock.fail-fast=true",
						"--zk-lock.startup-timeout=30s", "--spring.main.web-application-type=none",
						"--spring.main.banner-mode=off", "--spring.main.keep-alive=true"));
		try {
			WorkerProcess worker = new WorkerProcess(
					new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
			worker.expect("ready");
			return worker;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
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
		try {
			this.process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
			this.process.getOutputStream().flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Wait for the next answer.
	 * @return the answer
	 */
	public String answer() {
		try {
			String answer = this.answers.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
			if (answer == null) {
				throw new AssertionError("No answer from " + this);
			}
			return answer;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
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
		this.process.destroyForcibly();
	}

	/**
	 * Ask the process to end (SIGTERM).
	 */
	public void terminate() {
		// Process.destroy() would close the pipes as well.
		this.process.toHandle().destroy();
	}

	/**
	 * Stop the process where it is (SIGSTOP), as a pause of the machine does.
	 */
	public void pause() {
		signal("STOP");
	}

	/**
	 * Let the process go on (SIGCONT).
	 */
	public void resume() {
		signal("CONT");
	}

	private void signal(String name) {
		try {
			new ProcessBuilder("kill", "-" + name, Long.toString(this.process.pid())).inheritIO().start().waitFor();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void read() {
		try (BufferedReader lines = new BufferedReader(
				new InputStreamReader(this.process.getInputStream(), StandardCharsets.UTF_8))) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				if (line.startsWith(PREFIX)) {
					this.answers.add(line.substring(PREFIX.length()));
				}
			}
		}
		catch (IOException ex) {
			this.answers.add("failed: " + ex);
		}
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

	@Override
	public String toString() {
		return "worker " + this.process.pid();
	}

}
