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

package io.github.zklock.benchmarks.lock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.zklock.benchmarks.SuiteOptions;
import io.github.zklock.benchmarks.jmh.ServerProfiler;
import io.github.zklock.benchmarks.jmh.ThreadCpuProfiler;
import io.github.zklock.benchmarks.report.Environment;
import io.github.zklock.benchmarks.report.Samples;
import io.github.zklock.benchmarks.report.Target;
import io.github.zklock.benchmarks.server.ServerCounts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockTargets} and {@link FleetTargets} and the pages that show them.
 */
class LockTargetsTests {

	private static final Environment ENVIRONMENT = new Environment();

	@TempDir
	Path directory;

	@Test
	void everyTargetIsMeasuredByDefault() {
		Samples samples = measured(Map.of());
		assertThat(targets())
			.allSatisfy((target) -> assertThat(target.isMeasured(samples)).as(target.title()).isTrue());
	}

	@Test
	void everyTargetHasItsOwnTitle() {
		assertThat(targets()).extracting(Target::title).doesNotHaveDuplicates();
	}

	@Test
	void whatIsNotMeasuredIsNotMet() {
		assertThat(targets()).noneMatch((target) -> target.isMet(new Samples()));
	}

	@Test
	void thePagesShowEveryTargetAndKeepWhatWasWrittenByHand() throws Exception {
		SuiteOptions options = new SuiteOptions(1, this.directory, "", false);
		Samples samples = measured(lockValues());
		LockPage first = new LockPage(samples, options);
		first.write(ENVIRONMENT, 1);
		Path file = this.directory.resolve("locks.md");
		assertThat(file).content()
			.contains(LockTargets.ALL.stream().map(Target::title).toList())
			.contains("Warmed up for 15 s", "It takes 4 s for ");
		String title = "cold key: reads";
		write(file,
				Files.readString(file).replace("**" + title + "**: not explained yet.", "**" + title + "**: because."));
		LockPage second = new LockPage(samples, options);
		second.write(ENVIRONMENT, 1);
		second.write(ENVIRONMENT, 2);
		assertThat(file).content().contains("**" + title + "**: because.").contains("not explained yet.");
	}

	@Test
	void thePageAboutSeveralJvmsShowsEveryTarget() throws Exception {
		Map<String, Double> values = FleetValues.of(List.of(WorkerProcess.Result.parse("2 5 6 7 8 1 3 1 3 1 3"),
				WorkerProcess.Result.parse("1 5 6 7 8 2 3 2 2")), new ServerCounts(4, 6, 2, 0));
		assertThat(values).containsEntry("reads per turn", 2.0).containsEntry("reads", 4.0 / 3);
		new FleetPage(measured(values), new SuiteOptions(1, this.directory, "", false)).write(ENVIRONMENT, 1);
		assertThat(this.directory.resolve("fleet.md")).content()
			.contains(FleetTargets.ALL.stream().map(Target::title).toList())
			.doesNotContain("NaN");
	}

	@Test
	void thePlansStayShortEnoughToBeRunAgain() {
		assertThat(minutes(LockRun.plan(false))).isLessThan(46);
		assertThat(minutes(FleetRun.plan(false))).isLessThan(23);
	}

	private static double minutes(List<Run> plan) {
		return new Rounds(plan, new SuiteOptions(5, Path.of(""), "", false), ENVIRONMENT).seconds() / 60;
	}

	private static void write(Path file, String text) throws IOException {
		assertThat(text).contains("because.");
		Files.writeString(file, text);
	}

	private static List<Target> targets() {
		return Stream.of(LockTargets.ALL, FleetTargets.ALL).flatMap(List::stream).toList();
	}

	private static Map<String, Double> lockValues() {
		return Stream
			.of("score", "p50", "reads", "writes", "events", "round trips", ServerProfiler.CPU,
					ThreadCpuProfiler.PROCESS, "gc.alloc.rate.norm")
			.collect(Collectors.toMap((name) -> name, (name) -> 7.0));
	}

	private static Samples measured(Map<String, Double> values) {
		Samples samples = new Samples();
		Stream.of(LockRun.plan(false), FleetRun.plan(false))
			.flatMap(List::stream)
			.forEach((run) -> samples.add(run.series(), values));
		return samples;
	}

}
