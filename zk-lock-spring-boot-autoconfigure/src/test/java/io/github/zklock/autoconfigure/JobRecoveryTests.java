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

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockJob.Outcome;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.internal.WorkRecords;
import io.github.zklock.core.spi.JobStore;
import io.github.zklock.core.spi.RunOutcome;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nodes of an application whose job makes up for ticks, on a real ZooKeeper server. Their
 * clocks are set so that a tick comes soon, or was missed.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class JobRecoveryTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final Instant TEN = Instant.parse("2024-10-05T10:00:00Z");

	private static final JobStore.Job JOB = new JobStore.Job(Job.class.getName() + ".report", false, "report");

	private static final Duration HOUR = Duration.ofHours(1);

	private final RunLog log = new RunLog();

	private @Nullable Clock clock;

	private final JobNodes nodes = new JobNodes(server);

	@AfterEach
	void closeNodes() {
		this.log.goOn();
		this.nodes.close();
	}

	@Test
	void tickWhoseNodeDiesInTheMiddleRunsOnceMoreOnAnotherNode() throws Exception {
		this.log.block();
		startTwoThatPlanTheTick();
		RunLog.Run first = this.log.await(1);
		assertThat(first.tick()).satisfies((tick) -> {
			assertThat(tick.time()).isEqualTo(TEN);
			assertThat(tick.attempt()).isEqualTo(1);
			assertThat(tick.isRecovery()).isFalse();
		});
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> server.watchedBy(this.nodes.sessionOf(1 - first.node()))
				.stream()
				.anyMatch((path) -> path.contains("lock-")));
		server.killSession(this.nodes.sessionOf(first.node()));
		RunLog.Run second = this.log.await(2);
		assertThat(second.node()).isNotEqualTo(first.node());
		assertThat(second.tick()).satisfies((tick) -> {
			assertThat(tick.time()).isEqualTo(TEN);
			assertThat(tick.attempt()).isEqualTo(2);
			assertThat(tick.isRecovery()).isTrue();
		});
		this.log.goOn();
		staysAt(2);
		assertThat(jobs(second.node()).read(List.of(JOB), PATIENCE).get(0).runs()).satisfiesExactly((run) -> {
			assertThat(run.attempt()).isEqualTo(2);
			assertThat(run.outcome()).isEqualTo(Outcome.DONE);
		}, (run) -> {
			assertThat(run.attempt()).isEqualTo(1);
			assertThat(run.time()).isEqualTo(TEN);
			assertThat(run.outcome()).isEqualTo(Outcome.LOST);
			assertThat(run.ended()).isNull();
		});
	}

	@Test
	void tickThatDiedRunsAgainBeforeTheLatestOfTheTicksThatCameDueUntilItsSessionEnded() throws Exception {
		this.log.block();
		StandingClock clock = startTwoThatPlanTheTick("--app.cron=0/5 * * * * *");
		RunLog.Run first = this.log.await(1);
		Instant tick = Objects.requireNonNull(first.tick().time());
		Awaitility.await().atMost(PATIENCE).until(() -> clock.instant().isAfter(tick.plusMillis(10_300)));
		server.killSession(this.nodes.sessionOf(first.node()));
		RunLog.Run second = this.log.await(2);
		assertThat(second.node()).isNotEqualTo(first.node());
		assertThat(second.tick().time()).isEqualTo(tick);
		assertThat(second.tick().attempt()).isEqualTo(2);
		// On a busy machine the first node may lose its lock before its session is
		// killed.
		Instant began = clock.at(second.began());
		assertThat(this.log.await(3).tick()).satisfies((latest) -> {
			assertThat(latest.time()).isAfter(began.minusSeconds(5));
			assertThat(latest.attempt()).isEqualTo(1);
		});
	}

	@Test
	void tickThatAShutdownInterruptsRunsOnceMoreOnAnotherNode() {
		this.log.block();
		startTwoThatPlanTheTick();
		RunLog.Run first = this.log.await(1);
		this.nodes.all().get(first.node()).close();
		assertThat(this.log.await(2).tick().attempt()).isEqualTo(2);
		staysAt(2);
	}

	@Test
	void tickThatNoNodeRanRunsOnceWhenANodeStarts() {
		hasRun(TEN.minus(HOUR));
		start(TEN.plusSeconds(600));
		assertThat(this.log.await(1).tick()).satisfies((tick) -> {
			assertThat(tick.time()).isEqualTo(TEN);
			assertThat(tick.isRecovery()).isTrue();
		});
		start(TEN.plusSeconds(600));
		staysAt(1);
	}

	@Test
	void tickThatDiedBeforeAPauseRunsOnceMoreAfterThePause() throws Exception {
		interrupt(acquire(TEN));
		startInAPauseThatEnds();
		assertThat(this.log.await(1).tick()).satisfies((tick) -> {
			assertThat(tick.time()).isEqualTo(TEN);
			assertThat(tick.attempt()).isEqualTo(2);
		});
		staysAt(1);
	}

	@Test
	void tickThatNoNodeRanBeforeAPauseRunsAfterThePause() {
		hasRun(TEN.minus(HOUR));
		startInAPauseThatEnds();
		assertThat(this.log.await(1).tick().time()).isEqualTo(TEN);
		staysAt(1);
	}

	@Test
	void tickOfAPauseIsNotMissed() {
		hasRun(Instant.now());
		jobs(0).pause(JOB, "admin", PATIENCE);
		// Due in the pause, however long it takes to start a node.
		Instant tick = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(5);
		String[] cron = {
				"--app.cron=" + DateTimeFormatter.ofPattern("s m H").format(tick.atZone(ZoneOffset.UTC)) + " * * *" };
		start(Instant.now(), cron);
		Awaitility.await().atMost(PATIENCE).until(() -> Instant.now().isAfter(tick));
		// What the tick has begun would run after the pause.
		Awaitility.await().during(Duration.ofSeconds(1)).atMost(PATIENCE).until(() -> this.nodes.isIdle(1));
		jobs(0).resume(JOB, PATIENCE);
		assertThat(jobs(0).read(List.of(JOB), PATIENCE).get(0).pauses()).singleElement()
			.satisfies((pause) -> assertThat(pause.contains(tick)).isTrue());
		start(Instant.now(), cron);
		staysAt(0);
	}

	// A node that starts in the pause runs nothing until it ends.
	private void startInAPauseThatEnds() {
		jobs(0).pause(JOB, "admin", PATIENCE);
		start(TEN.plusSeconds(600));
		staysAt(0);
		jobs(0).resume(JOB, PATIENCE);
	}

	@Test
	void tickThatFallsIntoAnOutageRunsWhenTheServersAreBack() {
		hasRun(TEN.minus(HOUR));
		Clock clock = start(TEN.minusSeconds(8));
		server.stop();
		try {
			Awaitility.await().atMost(PATIENCE).until(() -> clock.instant().isAfter(TEN.plusSeconds(1)));
		}
		finally {
			server.restart();
		}
		assertThat(this.log.await(1).tick().time()).isEqualTo(TEN);
		staysAt(1);
	}

	@Test
	void jobThatHasNeverRunRunsNothingAtItsStart() {
		start(TEN.plusSeconds(600));
		staysAt(0);
	}

	@Test
	void tickThatIsTooOldIsNotMadeUpFor() {
		hasRun(TEN.minus(HOUR.multipliedBy(24)));
		// The search for the latest tick goes back for more than two hours.
		start(TEN.plus(HOUR.multipliedBy(2)).plusSeconds(600), "--app.cron=0 0 10 * * *");
		staysAt(0);
	}

	@Test
	void lastFailureIsOneErrorAndOneCountOfAllNodes(CapturedOutput output) throws Exception {
		for (int attempt = 1; attempt <= 3; attempt++) {
			interrupt(acquire(TEN));
		}
		start(TEN.plusSeconds(600));
		start(TEN.plusSeconds(600));
		Awaitility.await()
			.atMost(PATIENCE)
			.untilAsserted(() -> assertThat(output).contains("did not come to its end in 3 of 3 attempts"));
		staysAt(0);
		assertThat(output.getAll().lines().filter((line) -> line.contains("gives up"))).singleElement()
			.asString()
			.contains("ERROR");
		assertThat(this.nodes.givenUp()).singleElement().satisfies((request) -> {
			assertThat(request.key()).isEqualTo("report");
			assertThat(request.tick()).extracting(LockTick::time).isEqualTo(TEN);
		});
		assertThat(output).contains("must be idempotent");
	}

	@Test
	void lastFailureOfEachKeyIsReported(CapturedOutput output) throws Exception {
		for (int attempt = 1; attempt <= 3; attempt++) {
			interrupt(acquire(TEN, "report"));
			interrupt(acquire(TEN, "other"));
		}
		start(TEN.plusSeconds(600));
		start(TEN.plusSeconds(600), "--app.key=other");
		Awaitility.await()
			.atMost(PATIENCE)
			.untilAsserted(() -> assertThat(this.nodes.givenUp()).extracting(LockRequest::key)
				.containsExactlyInAnyOrder("report", "other"));
		assertThat(output.getAll().lines().filter((line) -> line.contains("gives up"))).hasSize(2);
	}

	private JobStore jobs(int node) {
		return this.nodes.bean(node, ZooKeeperLockProvider.class).jobs();
	}

	private static void interrupt(LockHandle handle) {
		WorkRecords.ended(handle, RunOutcome.INTERRUPTED);
		handle.release();
	}

	private void hasRun(Instant tick) {
		acquire(tick).release();
	}

	private LockHandle acquire(Instant tick) {
		return acquire(tick, "report");
	}

	// On a node of its own, whose job is never planned.
	private LockHandle acquire(Instant tick, String key) {
		if (this.nodes.all().isEmpty()) {
			start(TEN, "--app.cron=-");
			this.clock = null;
		}
		LockTick run = LockTick.at(JOB.schedule(), tick).withMaxAttempts(3);
		return this.nodes.bean(0, ZooKeeperLockProvider.class).acquire(LockRequest.of(key).withTick(run));
	}

	private void staysAt(int runs) {
		Awaitility.await().during(Duration.ofSeconds(2)).atMost(PATIENCE).until(() -> this.log.size() == runs);
	}

	// The clock goes on from the time at which the first node was started.
	private Clock start(Instant now, String... arguments) {
		if (this.clock == null) {
			this.clock = Clock.offset(Clock.systemUTC(), Duration.between(Instant.now(), now));
		}
		start(this.clock, arguments);
		return this.clock;
	}

	private StandingClock startTwoThatPlanTheTick(String... arguments) {
		StandingClock standing = new StandingClock(TEN);
		start(standing, arguments);
		start(standing, arguments);
		standing.go();
		return standing;
	}

	private void start(Clock clock, String... arguments) {
		int number = this.nodes.all().size();
		this.nodes.start(clock, (context) -> context.registerBean(Job.class, () -> new Job(this.log, number)),
				arguments);
	}

	static class Job {

		private final RunLog log;

		private final int node;

		Job(RunLog log, int node) {
			this.log = log;
			this.node = node;
		}

		@Scheduled(cron = "${app.cron:0 0 * * * *}", zone = "UTC")
		@OncePerTick(recoverWithin = "2h")
		@DistributedLock("${app.key:report}")
		void report() throws InterruptedException {
			this.log.run(this.node);
		}

	}

}
