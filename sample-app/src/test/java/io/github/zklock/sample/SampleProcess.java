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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * The sample application in a process of its own, with a temporary directory of its own.
 */
final class SampleProcess implements AutoCloseable {

	private static final Pattern ADDRESS = Pattern.compile("(?m) (http://localhost:\\d+)$");

	private final Process process;

	private final Path console;

	private SampleProcess(Process process, Path console) {
		this.process = process;
		this.console = console;
	}

	static SampleProcess start(Path directory, Path console, String... args) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-Djava.io.tmpdir=" + directory, SampleApplication.class.getName()));
		command.addAll(List.of(args));
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(console.toFile());
		builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
		return new SampleProcess(builder.start(), console);
	}

	boolean isReady() {
		if (!this.process.isAlive()) {
			throw new IllegalStateException("The process has ended:\n" + console());
		}
		return console().contains("Ctrl-C ends");
	}

	List<String> addresses() {
		return ADDRESS.matcher(console()).results().map((match) -> match.group(1)).toList();
	}

	String console() {
		try {
			return Files.readString(this.console);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * End the process as Ctrl-C does.
	 * @return whether it ended
	 */
	boolean stop() throws InterruptedException {
		this.process.destroy();
		return this.process.waitFor(1, TimeUnit.MINUTES);
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
