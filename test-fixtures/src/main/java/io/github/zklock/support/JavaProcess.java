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
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/**
 * A small JVM beside the JVM of the test, with the same class path. It can be stopped,
 * continued and killed like any other process. It does not outlive the test.
 */
public final class JavaProcess implements AutoCloseable {

	private static final int KEPT_LINES = 1000;

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private final Process process;

	private final BlockingDeque<String> lines = new LinkedBlockingDeque<>(KEPT_LINES);

	private final BlockingDeque<String> unread = new LinkedBlockingDeque<>(KEPT_LINES);

	private volatile boolean closed;

	private JavaProcess(Process process) {
		this.process = process;
		Thread reader = new Thread(this::read, "java-process-" + process.pid());
		reader.setDaemon(true);
		reader.start();
	}

	/**
	 * Start a process.
	 * @param main the class whose main method is run
	 * @param systemProperties its system properties, as {@code name=value}
	 * @param arguments the arguments of its main method
	 * @return the process
	 */
	public static JavaProcess start(String main, List<String> systemProperties, String... arguments) {
		return of(main).properties(systemProperties).start(arguments);
	}

	/**
	 * Prepare a process.
	 * @param main the class whose main method is run
	 * @return the process, not started
	 */
	public static Builder of(String main) {
		return new Builder(main);
	}

	/**
	 * Return the number of the process.
	 * @return its pid
	 */
	public long pid() {
		return this.process.pid();
	}

	/**
	 * Return whether the process has not ended. One that is paused has not.
	 * @return {@code true} if it lives
	 */
	public boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Return what the process has printed of late, to either of its outputs.
	 * @return the lines
	 */
	public List<String> output() {
		return List.copyOf(this.lines);
	}

	/**
	 * Wait until the process has printed a line, or fail when it has ended without.
	 * @param start how the line starts
	 * @return the line
	 */
	public String awaitLine(String start) {
		return awaitLine(start, PATIENCE);
	}

	/**
	 * Wait until the process has printed a line, or fail when it has ended without.
	 * @param start how the line starts
	 * @param longest how long to wait
	 * @return the line
	 */
	public String awaitLine(String start, Duration longest) {
		try {
			return Awaitility.await("line '" + start + "'")
				.atMost(longest)
				.pollInterval(Duration.ofMillis(5))
				.failFast("the process has ended", () -> this.closed && find(start).isEmpty())
				.until(() -> find(start), Optional::isPresent)
				.get();
		}
		catch (RuntimeException ex) {
			throw new AssertionError("Process " + pid() + " has printed " + this.lines, ex);
		}
	}

	private Optional<String> find(String start) {
		return this.lines.stream().filter((line) -> line.startsWith(start)).findFirst();
	}

	/**
	 * Wait for the next line that starts with a text, and take it and all lines before
	 * it. Unlike {@link #awaitLine(String)}, it returns no line twice.
	 * @param start how the line starts
	 * @return the rest of the line
	 */
	public String takeLine(String start) {
		try {
			long deadline = System.nanoTime() + PATIENCE.toNanos();
			while (System.nanoTime() - deadline < 0) {
				boolean last = this.closed;
				String line = this.unread.poll(5, TimeUnit.MILLISECONDS);
				if (line != null && line.startsWith(start)) {
					return line.substring(start.length());
				}
				if (line == null && last) {
					throw new AssertionError("Process " + pid() + " has ended, and printed " + this.lines);
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
		throw new AssertionError("Process " + pid() + " has printed " + this.lines);
	}

	/**
	 * Write a line to the standard input of the process.
	 * @param line the line
	 */
	public void write(String line) {
		try {
			this.process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
			this.process.getOutputStream().flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * End the standard input of the process.
	 */
	public void endInput() {
		FaultProxy.close(this.process.getOutputStream());
	}

	/**
	 * Ask the process to end (SIGTERM).
	 */
	public void terminate() {
		// Process.destroy() would close the pipes as well.
		this.process.toHandle().destroy();
	}

	/**
	 * Wait for the end of the process.
	 * @return its exit code
	 */
	public int awaitEnd() {
		return this.process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join().exitValue();
	}

	/**
	 * Take the process off the processor, as a long pause does (SIGSTOP). Where the
	 * system does not show when it is, the test is skipped.
	 */
	public void pause() {
		Assumptions.assumeTrue(Files.exists(Path.of("/proc/self/stat")),
				"Whether a process is stopped is seen in /proc, so only on Linux");
		signal("STOP");
		// Until one of its threads has seen the signal, the others go on.
		Awaitility.await().pollInterval(Duration.ofMillis(5)).until(this::isStopped);
	}

	private boolean isStopped() throws IOException {
		Path status = Path.of("/proc", Long.toString(pid()), "stat");
		// The state follows the name, which is in parentheses.
		return !Files.exists(status) || Files.readString(status).contains(") T ");
	}

	/**
	 * Let the process go on (SIGCONT).
	 */
	public void resume() {
		signal("CONT");
	}

	/**
	 * Kill the process (SIGKILL) and wait for its end.
	 */
	@Override
	public void close() {
		this.process.destroyForcibly();
		this.process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
	}

	/**
	 * Let the process write nothing more to any file: each attempt is an error.
	 */
	void limitFiles() {
		run("prlimit", "--pid", Long.toString(pid()), "--fsize=0:");
	}

	private void signal(String name) {
		run("kill", "-" + name, Long.toString(pid()));
	}

	private static void run(String... command) {
		try {
			Process process = new ProcessBuilder(command).inheritIO().start();
			if (process.waitFor() != 0) {
				throw new AssertionError(String.join(" ", command) + " has failed");
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	private void read() {
		try (BufferedReader reader = this.process.inputReader(StandardCharsets.UTF_8)) {
			reader.lines().forEach(this::add);
		}
		catch (IOException | UncheckedIOException ex) {
			add("(no more output: " + ex + ")");
		}
		this.closed = true;
	}

	private void add(String line) {
		keep(this.lines, line);
		keep(this.unread, line);
	}

	private static void keep(BlockingDeque<String> lines, String line) {
		while (!lines.offer(line)) {
			lines.poll();
		}
	}

	/**
	 * A process that is not started.
	 */
	public static final class Builder {

		private final String main;

		private String classPath = System.getProperty("java.class.path");

		private List<String> options = List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

		private List<String> properties = List.of();

		private boolean readsInput;

		private Builder(String main) {
			this.main = main;
		}

		/**
		 * Leave the standard input to the main class, which ends with it.
		 * @return this builder
		 */
		public Builder readsInput() {
			this.readsInput = true;
			return this;
		}

		/**
		 * Give the process a class path of its own.
		 * @param classPath the class path, which has this class on it
		 * @return this builder
		 */
		public Builder classPath(String classPath) {
			this.classPath = classPath;
			return this;
		}

		/**
		 * Give the process more classes than the test has.
		 * @param classes the directory of these classes, which come first
		 * @return this builder
		 */
		public Builder classes(Path classes) {
			return classPath(classes + File.pathSeparator + this.classPath);
		}

		/**
		 * Replace the options that make the JVM small and its start quick.
		 * @param options the options of the JVM
		 * @return this builder
		 */
		public Builder options(String... options) {
			this.options = List.of(options);
			return this;
		}

		/**
		 * Set system properties.
		 * @param properties the properties, as {@code name=value}
		 * @return this builder
		 */
		public Builder properties(List<String> properties) {
			this.properties = properties;
			return this;
		}

		/**
		 * Start the process.
		 * @param arguments the arguments of its main method
		 * @return the process
		 */
		public JavaProcess start(String... arguments) {
			List<String> command = new ArrayList<>();
			command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
			command.addAll(this.options);
			this.properties.forEach((property) -> command.add("-D" + property));
			command.addAll(List.of("-cp", this.classPath));
			if (!this.readsInput) {
				command.add(ChildMain.class.getName());
			}
			command.add(this.main);
			command.addAll(List.of(arguments));
			try {
				return new JavaProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
