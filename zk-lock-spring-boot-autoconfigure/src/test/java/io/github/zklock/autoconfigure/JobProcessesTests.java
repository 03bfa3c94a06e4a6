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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.zklock.autoconfigure.JobCluster.Run;
import io.github.zklock.core.spi.JobStore;
import io.github.zklock.core.spi.JobStore.Job;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * What becomes of the ticks of a job of three seconds, in real processes, without and
 * with {@code recoverWithin}. It writes the table of
 * {@code docs/internals/reliability/jobs.md} to {@code target/jobs.md}.
 */
@Tag("nightly")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class JobProcessesTests {

	static final Duration SESSION = Duration.ofSeconds(4);

	private static final Duration PATIENCE = Duration.ofMinutes(4);

	private static final Duration BOUND = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private static final List<String> table = new ArrayList<>();

	private final JobCluster byDefault = new JobCluster(server.connectString(), false);

	private final JobCluster recovers = new JobCluster(server.connectString(), true);

	private final List<JobCluster> both = List.of(this.byDefault, this.recovers);

	private Duration period = Duration.ofSeconds(10);

	@TempDir
	private Path directory;

	@AfterEach
	void closeAll() {
		this.both.forEach(JobCluster::close);
	}

	@Test
	@Order(1)
	void tickWhoseNodeIsKilledInTheMiddle() {
		start();
		Instant tick = begun();
		this.both.forEach((cluster) -> cluster.killRunner(tick));
		isRepeatedOnlyWithRecovery("`kill -9` of the node in the middle of a run", tick);
	}

	@Test
	@Order(2)
	void tickWhoseNodeIsShutDownInTheMiddle() {
		start();
		Instant tick = begun();
		this.both.forEach((cluster) -> cluster.terminateRunner(tick));
		completes(this.recovers, List.of(tick));
		row("SIGTERM to the node in the middle of a run, and the shutdown waits for the run", List.of(tick));
		assertThat(this.both).allSatisfy((cluster) -> assertThat(cluster.runs(tick)).hasSize(1).allMatch(Run::isDone));
	}

	@Test
	@Order(3)
	void tickWhoseNodeIsShutDownInTheMiddleWithoutMuchPatience() {
		start("--spring.lifecycle.timeout-per-shutdown-phase=500ms");
		Instant tick = begun();
		this.both.forEach((cluster) -> cluster.terminateRunner(tick));
		isRepeatedOnlyWithRecovery("the same, but the shutdown waits for only 0.5 s, and interrupts the run", tick);
	}

	@Test
	@Order(4)
	void ticksOfARollingRestart() {
		start();
		Instant first = begun();
		for (int node = 0; node < 3; node++) {
			this.both.forEach(JobCluster::terminateOldest);
			start(1);
		}
		List<Instant> ticks = ticks(first, Instant.now());
		completes(this.recovers, ticks);
		row("rolling restart of all nodes", ticks);
	}

	@Test
	@Order(5)
	void tickAtWhichAllNodesAreDown() {
		this.period = Duration.ofMinutes(1);
		start();
		Instant tick = done().plus(this.period);
		this.both.forEach(JobCluster::killAll);
		awaitTime(tick.plusSeconds(1));
		start();
		assumeTrue(Instant.now().isBefore(tick.plusSeconds(50)), "The nodes start before the next tick");
		completes(this.recovers, List.of(tick));
		row("all nodes are down at a tick (one run a minute)", List.of(tick));
		assertThat(this.byDefault.runs(tick)).isEmpty();
	}

	@Test
	@Order(6)
	void tickAtWhichZooKeeperIsDown() {
		start();
		Instant tick = done().plus(this.period);
		awaitTime(tick.minusSeconds(2));
		server.stop();
		try {
			awaitTime(tick.plusSeconds(2));
		}
		finally {
			server.restart();
		}
		completes(this.recovers, List.of(tick));
		row("ZooKeeper is down at a tick", List.of(tick));
	}

	@Test
	@Order(7)
	void tickThatKillsEachJvm() throws Exception {
		this.period = Duration.ofMinutes(1);
		Path crashes = this.directory.resolve("crashes");
		start(4, "--app.crashes=" + crashes);
		Instant tick = tickAfter(Instant.now().plusSeconds(2));
		Files.writeString(crashes, tick.toString());
		await(() -> !this.byDefault.runs(tick).isEmpty() && !this.recovers.output("gives up").isEmpty());
		row("a job kills its JVM in each attempt (four nodes, one run a minute)", List.of(tick));
		assertThat(this.byDefault.runs(tick)).extracting(Run::attempt).containsExactly(1);
		assertThat(this.recovers.runs(tick)).extracting(Run::attempt).containsExactly(1, 2, 3);
		assertThat(this.recovers.output("gives up")).as("errors").singleElement().asString().contains("ERROR");
	}

	@Test
	@Order(8)
	void ticksOfAPauseInWhichAllIsRestarted() {
		this.period = Duration.ofMinutes(1);
		start();
		Instant first = done().plus(this.period);
		change((jobs, job) -> jobs.pause(job, "table", BOUND));
		this.both.forEach(JobCluster::killAll);
		server.restart();
		start();
		Instant last = tickAfter(Instant.now());
		awaitTime(last.plusSeconds(5));
		change((jobs, job) -> jobs.resume(job, BOUND));
		start(1);
		List<Instant> ticks = ticks(first, last.plusMillis(1));
		row("pause, in which all nodes and ZooKeeper restart (one run a minute)", ticks);
		assertThat(this.both)
			.allSatisfy((cluster) -> assertThat(ticks).allSatisfy((tick) -> assertThat(cluster.runs(tick)).isEmpty()));
	}

	@Test
	@Order(9)
	void ticksOfNodesWithDifferentClocks() {
		startWithDifferentClocks();
		Instant first = ahead().plus(this.period);
		List<Instant> ticks = ticks(first, first.plus(this.period.multipliedBy(3)));
		completes(this.recovers, ticks);
		row("clocks of the nodes are 15 and 30 s ahead", ticks);
	}

	@Test
	@Order(10)
	void tickWhoseNodeIsKilledWithDifferentClocks() {
		startWithDifferentClocks();
		Instant tick = ahead().plus(this.period);
		await(() -> this.both.stream().allMatch((cluster) -> !cluster.runs(tick).isEmpty()));
		this.both.forEach((cluster) -> cluster.killRunner(tick));
		completes(this.recovers, List.of(tick));
		row("the same, and `kill -9` of the node that is ahead", List.of(tick));
	}

	private void start(String... arguments) {
		start(3, arguments);
	}

	private void start(int nodes, String... arguments) {
		IntStream.range(0, nodes).forEach((node) -> startOne(arguments));
		this.both.forEach(JobCluster::awaitReady);
	}

	private void startWithDifferentClocks() {
		IntStream.of(0, 15, 30).forEach((seconds) -> startOne("--app.clock-offset=" + seconds + "s"));
		this.both.forEach(JobCluster::awaitReady);
	}

	private void startOne(String... arguments) {
		String cron = (this.period.toSeconds() < 60) ? "*/" + this.period.toSeconds() + " * * * * *" : "0 * * * * *";
		List<String> all = new ArrayList<>(List.of("--app.cron=" + cron));
		all.addAll(List.of(arguments));
		this.both.forEach((cluster) -> cluster.start(all));
	}

	// A tick that the nodes that are ahead have run.
	private Instant ahead() {
		return common(tickAfter(Instant.now()).plusSeconds(30), Run::isDone);
	}

	private Instant begun() {
		return common(tickAfter(Instant.now()), (run) -> run.ended() == null);
	}

	private Instant done() {
		return common(tickAfter(Instant.now()), Run::isDone);
	}

	// By default a tick is skipped if the servers answer too late, so it may be a later
	// one.
	private Instant common(Instant first, Predicate<Run> state) {
		return Awaitility.await()
			.atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(20))
			.until(() -> ticksOf(this.byDefault).filter((tick) -> !tick.isBefore(first))
				.filter((tick) -> this.both.stream().allMatch((cluster) -> cluster.runs(tick).stream().anyMatch(state)))
				.reduce((before, last) -> last), Optional::isPresent)
			.orElseThrow();
	}

	private void change(BiConsumer<JobStore, Job> change) {
		Job job = new Job(RecoveryProcess.class.getName() + ".report", false, "report");
		for (JobCluster cluster : this.both) {
			try (LockClient<ZooKeeperLockProvider> client = LockClient.connect(server.connectString(), BOUND,
					(curator) -> ZooKeeperLockProvider.builder(curator).root(cluster.root()).build())) {
				change.accept(client.locks().jobs(), job);
			}
		}
	}

	private void isRepeatedOnlyWithRecovery(String what, Instant tick) {
		completes(this.recovers, List.of(tick));
		row(what, List.of(tick));
		assertThat(this.byDefault.runs(tick)).hasSize(1).noneMatch(Run::isDone);
		List<Run> runs = this.recovers.runs(tick);
		assertThat(runs).extracting(Run::attempt).containsExactly(1, 2);
		assertThat(pauseBefore(runs, 1)).as("until the next attempt").isLessThan(SESSION.plusSeconds(5));
	}

	private static void completes(JobCluster cluster, List<Instant> ticks) {
		await(() -> ticks.stream().allMatch((tick) -> isDone(cluster, tick)));
	}

	private static boolean isDone(JobCluster cluster, Instant tick) {
		return cluster.runs(tick).stream().anyMatch(Run::isDone);
	}

	// No node can run a tick after a later one, so the row is complete.
	private void row(String what, List<Instant> ticks) {
		Instant now = Instant.now();
		await(() -> this.both.stream()
			.allMatch((cluster) -> cluster.runs()
				.stream()
				.anyMatch((run) -> run.isDone() && run.began().isAfter(now) && !ticks.contains(run.tick()))));
		if (table.isEmpty()) {
			table.add("| what happens | by default | with `recoverWithin` |");
			table.add("|---|---|---|");
		}
		String line = "| " + what + " | " + cell(this.byDefault, ticks) + " | " + cell(this.recovers, ticks) + " |";
		table.add(line);
		write();
		String row = line + "\n" + String.join("\n", this.recovers.output(" --- "));
		assertThat(this.both).as(row).allSatisfy((cluster) -> assertThat(cluster.overlaps()).isZero());
		assertThat(ticksOf(this.byDefault)).as(row)
			.allSatisfy((tick) -> assertThat(this.byDefault.runs(tick)).hasSizeLessThan(2));
		assertThat(ticksOf(this.recovers)).as(row).allSatisfy((tick) -> {
			List<Run> runs = this.recovers.runs(tick);
			assertThat(runs).extracting(Run::attempt)
				.containsExactlyElementsOf(IntStream.rangeClosed(1, runs.size()).boxed().toList());
			assertThat(runs).filteredOn(Run::isDone).hasSizeLessThan(2);
		});
	}

	private static void write() {
		try {
			Files.write(Path.of("target", "jobs.md"), table);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Stream<Instant> ticksOf(JobCluster cluster) {
		return cluster.runs().stream().map(Run::tick).distinct();
	}

	private static String cell(JobCluster cluster, List<Instant> ticks) {
		List<Run> all = cluster.runs();
		List<String> facts = new ArrayList<>();
		if (ticks.size() > 1) {
			facts.add(ticks.size() + " ticks, of which "
					+ ticks.stream().filter((tick) -> isDone(cluster, tick)).count() + " ended");
		}
		for (Instant tick : ticks) {
			List<Run> runs = cluster.runs(tick);
			if (ticks.size() == 1 && runs.isEmpty()) {
				facts.add("no run began");
			}
			if (ticks.size() == 1 || runs.size() > 1 || runs.stream().anyMatch((run) -> !run.isDone())) {
				IntStream.range(0, runs.size()).forEach((run) -> facts.add(text(runs, run)));
			}
		}
		if (!cluster.output("gives up").isEmpty()) {
			facts.add("the tick was given up with " + cluster.output("gives up").size() + " ERROR");
		}
		facts.add(cluster.overlaps() + " of " + all.size() + " runs overlapped");
		return String.join("; ", facts);
	}

	private static String text(List<Run> runs, int index) {
		Run run = runs.get(index);
		Duration pause = pauseBefore(runs, index);
		String began = (pause.compareTo(Duration.ofSeconds(1)) < 0 && index == 0) ? ""
				: String.format(Locale.ROOT, " began after %.1f s and", pause.toMillis() / 1000.0);
		return "attempt " + run.attempt() + began + " " + run.fate();
	}

	// Since the end of the attempt before, or the time of the tick.
	private static Duration pauseBefore(List<Run> runs, int index) {
		Run run = runs.get(index);
		Instant before = (index == 0) ? run.tick() : runs.get(index - 1).ended();
		return Duration.between((before != null) ? before : run.began(), run.began());
	}

	private List<Instant> ticks(Instant first, Instant end) {
		return Stream.iterate(first, (tick) -> tick.isBefore(end), (tick) -> tick.plus(this.period)).toList();
	}

	private Instant tickAfter(Instant time) {
		long seconds = this.period.toSeconds();
		return Instant.ofEpochSecond((time.getEpochSecond() / seconds + 1) * seconds);
	}

	private static void awaitTime(Instant time) {
		await(() -> Instant.now().isAfter(time));
	}

	private static void await(BooleanSupplier condition) {
		Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(condition::getAsBoolean);
	}

}
