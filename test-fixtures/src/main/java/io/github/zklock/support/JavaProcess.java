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
import java.util.function.Consumer;

import org.awaitility.Awaitility;

/**
 * A small JVM beside the JVM of the test, with the same class path. It can be stopped,
 * continued and killed like any other process. It does not outlive the test.
 */
public final class JavaProcess implements AutoCloseable {

	private static final int KEPT_LINES = 1000;

	private final Process process;

	private final BlockingDeque<String> lines = new LinkedBlockingDeque<>(KEPT_LINES);

	private volatile boolean closed;

	private final Consumer<String> listener;

	private JavaProcess(Process process, Consumer<String> listener) {
		this.process = process;
		this.listener = listener;
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
		return start(System.getProperty("java.class.path"), main, systemProperties, arguments);
	}

	/**
	 * Start a process that has more classes than the test.
	 * @param classes the directory of these classes, which come first
	 * @param main the class whose main method is run
	 * @param systemProperties its system properties, as {@code name=value}
	 * @return the process
	 */
	public static JavaProcess start(Path classes, String main, List<String> systemProperties) {
		return start(classes + File.pathSeparator + System.getProperty("java.class.path"), main, systemProperties,
				new String[0]);
	}

	/**
	 * Start a process that reads its standard input, and ends with it.
	 * @param main the class whose main method is run
	 * @param listener takes each line that it prints
	 * @param arguments the arguments of its main method
	 * @return the process
	 */
	static JavaProcess drive(String main, Consumer<String> listener, String... arguments) {
		return start(System.getProperty("java.class.path"), List.of(main), List.of(), arguments, listener);
	}

	/**
	 * Start a process with a class path of its own.
	 * @param classPath the class path, which has the tests on it
	 * @param main the class whose main method is run
	 * @param systemProperties its system properties, as {@code name=value}
	 * @param arguments the arguments of its main method
	 * @return the process
	 */
	static JavaProcess start(String classPath, String main, List<String> systemProperties, String[] arguments) {
		return start(classPath, List.of(ChildMain.class.getName(), main), systemProperties, arguments, (line) -> {
		});
	}

	private static JavaProcess start(String classPath, List<String> main, List<String> systemProperties,
			String[] arguments, Consumer<String> listener) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
		systemProperties.forEach((property) -> command.add("-D" + property));
		command.addAll(List.of("-cp", classPath));
		command.addAll(main);
		command.addAll(List.of(arguments));
		try {
			return new JavaProcess(new ProcessBuilder(command).redirectErrorStream(true).start(), listener);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
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
		return awaitLine(start, Duration.ofMinutes(5));
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
	 * Write a line to the standard input of the process.
	 * @param line the line
	 */
	void write(String line) {
		try {
			this.process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
			this.process.getOutputStream().flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Ask the process to end (SIGTERM).
	 */
	void terminate() {
		// Process.destroy() would close the pipes as well.
		this.process.toHandle().destroy();
	}

	/**
	 * Take the process off the processor, as a long pause does (SIGSTOP).
	 */
	public void pause() {
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
		this.listener.accept(line);
		while (!this.lines.offer(line)) {
			this.lines.poll();
		}
	}

}
