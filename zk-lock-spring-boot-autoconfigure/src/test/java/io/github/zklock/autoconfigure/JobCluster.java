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

package io.github.zklock.autoconfigure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import io.github.zklock.support.JavaProcess;
import org.jspecify.annotations.Nullable;

/**
 * Processes of one application, and all that its job did in them.
 */
final class JobCluster implements AutoCloseable {

	private final String root = "/" + UUID.randomUUID();

	private final String connectString;

	private final boolean recovers;

	private String classPath = System.getProperty("java.class.path");

	private final List<JavaProcess> nodes = new ArrayList<>();

	private final List<JavaProcess> ended = new ArrayList<>();

	// When a process that was killed had surely ended.
	private final Map<JavaProcess, Instant> killed = new HashMap<>();

	JobCluster(String connectString, boolean recovers) {
		this.connectString = connectString;
		this.recovers = recovers;
	}

	String root() {
		return this.root;
	}

	void start(List<String> more) {
		List<String> arguments = new ArrayList<>(
				List.of("--zk-lock.connect-string=" + this.connectString, "--zk-lock.root=" + this.root,
						"--zk-lock.session-timeout=" + JobProcessesTests.SESSION.toSeconds() + "s", "--app.work=3s",
						"--spring.main.banner-mode=off"));
		if (!this.recovers) {
			arguments.add("--zk-lock.locks.recovery-process-report.recover-within=0");
		}
		arguments.addAll(more);
		this.nodes.add(JavaProcess.of(RecoveryProcess.class.getName())
			.classPath(this.classPath)
			.start(arguments.toArray(String[]::new)));
	}

	/**
	 * Set with which class path the next processes start.
	 */
	void setClassPath(String classPath) {
		this.classPath = classPath;
	}

	void awaitReady() {
		this.nodes.forEach((node) -> node.awaitLine("ready"));
	}

	/**
	 * Ask the process that was started first to end, and wait for that.
	 */
	void terminateOldest() {
		JavaProcess old = this.nodes.remove(0);
		this.ended.add(old);
		old.terminate();
		old.awaitEnd();
	}

	void killRunner(Instant tick) {
		kill(runner(tick));
	}

	void terminateRunner(Instant tick) {
		runner(tick).terminate();
	}

	void killAll() {
		List.copyOf(this.nodes).forEach(this::kill);
	}

	private void kill(JavaProcess node) {
		node.close();
		this.killed.put(node, Instant.now());
		this.nodes.remove(node);
		this.ended.add(node);
	}

	private JavaProcess runner(Instant tick) {
		return this.nodes.stream()
			.filter((node) -> node.output().contains("began " + tick + " 1"))
			.findFirst()
			.orElseThrow();
	}

	/**
	 * Return the lines of all processes, of now and of before, that contain a text.
	 * @param part the text
	 * @return the lines
	 */
	List<String> output(String part) {
		return processes().flatMap((node) -> node.output().stream()).filter((line) -> line.contains(part)).toList();
	}

	private Stream<JavaProcess> processes() {
		return Stream.concat(this.ended.stream(), this.nodes.stream());
	}

	/**
	 * Return all runs of the job.
	 * @return the runs, the first one first
	 */
	List<Run> runs() {
		return processes().flatMap((node) -> runs(node).stream()).sorted(Comparator.comparing(Run::began)).toList();
	}

	/**
	 * Return all runs of a tick.
	 * @param tick the tick
	 * @return the runs, the first one first
	 */
	List<Run> runs(Instant tick) {
		return runs().stream().filter((run) -> run.tick().equals(tick)).toList();
	}

	private List<Run> runs(JavaProcess node) {
		List<Run> runs = new ArrayList<>();
		for (String line : node.output()) {
			if (line.startsWith("run began ")) {
				String[] words = line.split(" ");
				Instant began = Instant.parse(words[4]);
				runs.add(new Run(Instant.parse(words[2]), Integer.parseInt(words[3]), began, null, "runs"));
			}
			else if (line.startsWith("run ")) {
				String[] words = line.split(" ");
				runs.add(runs.remove(runs.size() - 1).end(Instant.parse(words[4]), words[1]));
			}
		}
		Instant killed = this.killed.get(node);
		if (killed != null && !runs.isEmpty() && runs.get(runs.size() - 1).ended() == null) {
			runs.add(runs.remove(runs.size() - 1).end(killed, "was killed"));
		}
		return runs;
	}

	/**
	 * Count the runs that began before another one of the job had ended.
	 * @return the number
	 */
	long overlaps() {
		long overlaps = 0;
		Instant free = Instant.MIN;
		for (Run run : runs()) {
			overlaps += run.began().isBefore(free) ? 1 : 0;
			Instant ended = (run.ended() != null) ? run.ended() : Instant.MAX;
			free = ended.isAfter(free) ? ended : free;
		}
		return overlaps;
	}

	@Override
	public void close() {
		killAll();
	}

	/**
	 * A run of the job.
	 *
	 * @param tick the time for which it was planned
	 * @param attempt the number of the attempt at the tick
	 * @param began when it began
	 * @param ended when it ended, or {@code null}
	 * @param fate what became of it, as a verb
	 */
	record Run(Instant tick, int attempt, Instant began, @Nullable Instant ended, String fate) {

		Run end(Instant time, String fate) {
			return new Run(this.tick, this.attempt, this.began, time, fate.replace('-', ' '));
		}

		boolean isDone() {
			return this.fate.equals("ended");
		}

	}

}
