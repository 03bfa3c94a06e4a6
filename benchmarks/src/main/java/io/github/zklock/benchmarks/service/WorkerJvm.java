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

package io.github.zklock.benchmarks.service;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A JVM of its own, which talks by lines.
 */
final class WorkerJvm implements AutoCloseable {

	private final Process process;

	private final BufferedReader out;

	private final PrintStream in;

	WorkerJvm(Class<?> main, String... args) throws IOException {
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		List<String> command = Stream
			.concat(Stream.of(java, "-Xms128m", "-Xmx512m", "-XX:+UseSerialGC", "-cp",
					System.getProperty("java.class.path"), main.getName()), Stream.of(args))
			.toList();
		this.process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
		this.out = this.process.inputReader(StandardCharsets.US_ASCII);
		this.in = new PrintStream(this.process.getOutputStream(), true, StandardCharsets.US_ASCII);
		// An interrupted run leaves no process behind.
		Runtime.getRuntime().addShutdownHook(new Thread(this.process::destroyForcibly));
	}

	void send(String line) {
		this.in.println(line);
	}

	/**
	 * Wait for the next line that begins like this. Libraries may log others.
	 * @param start the begin of the line
	 * @return the rest of it
	 * @throws IOException if the process has ended
	 */
	String await(String start) throws IOException {
		for (String line = this.out.readLine(); line != null; line = this.out.readLine()) {
			if (line.startsWith(start)) {
				return line.substring(start.length()).strip();
			}
		}
		throw new IOException("A process has ended before its line '" + start + "'");
	}

	void signal(String signal) throws Exception {
		ServiceProcess.signal(this.process, signal);
	}

	@Override
	public void close() throws Exception {
		this.in.close();
		if (!this.process.waitFor(5, TimeUnit.SECONDS)) {
			this.process.destroyForcibly().waitFor();
		}
	}

}
