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

package io.github.zklock.sample;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

import io.github.zklock.support.JavaProcess;
import org.awaitility.Awaitility;

/**
 * The sample application in a process of its own, with a temporary directory of its own.
 */
final class SampleProcess implements AutoCloseable {

	private static final Pattern ADDRESS = Pattern.compile("(?m) (http://localhost:\\d+)$");

	// What a JVM exits with after SIGTERM.
	private static final int TERMINATED = 143;

	private final JavaProcess process;

	private SampleProcess(JavaProcess process) {
		this.process = process;
	}

	static SampleProcess start(Path directory, String... args) {
		return new SampleProcess(JavaProcess.of(SampleApplication.class.getName())
			.options("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + directory)
			.start(args));
	}

	void awaitReady() {
		try {
			Awaitility.await()
				.atMost(Duration.ofMinutes(3))
				.failFast("the process has ended", () -> !this.process.isAlive())
				.until(() -> console().contains("Ctrl-C ends"));
		}
		catch (RuntimeException ex) {
			throw new AssertionError("The process is not ready, and has printed:\n" + console(), ex);
		}
	}

	List<String> addresses() {
		return ADDRESS.matcher(console()).results().map((match) -> match.group(1)).toList();
	}

	String console() {
		return String.join("\n", this.process.output());
	}

	/**
	 * End the process as Ctrl-C does.
	 * @return whether it ended orderly
	 */
	boolean stop() {
		this.process.terminate();
		return this.process.awaitEnd() == TERMINATED;
	}

	@Override
	public void close() {
		this.process.close();
	}

}
