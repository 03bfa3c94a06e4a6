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

import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockJob.Outcome;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.spi.JobStore;
import io.github.zklock.core.spi.UnusedRelease;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.node.JobRecord;
import io.github.zklock.zookeeper.node.LockPaths;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs of a job that do not come to their end although their node lives, or that end
 * politely in a shutdown.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class UnfinishedRunTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final Instant TEN = Instant.parse("2024-10-05T10:00:00Z");

	private final List<LockTick> begun = new CopyOnWriteArrayList<>();

	private final JobNodes nodes = new JobNodes(server);

	private final CountDownLatch never = new CountDownLatch(1);

	private final StandingClock clock = new StandingClock(TEN);

	@AfterEach
	void closeNodes() {
		this.never.countDown();
		this.clock.go();
		this.nodes.close();
	}

	@Test
	void runThatReturnsPolitelyInAShutdownIsRepeatedOnAnotherNode() {
		start(this::returnPolitely);
		start(this::returnPolitely);
		this.clock.go();
		this.nodes.all().get(runner()).close();
		this.never.countDown();
		await(2);
		assertThat(this.begun.get(1).attempt()).isEqualTo(2);
		awaitOutcomes(Outcome.DONE, Outcome.INTERRUPTED);
	}

	@Test
	void runThatEndsWithAnInterruptedIoIsRepeatedAndOneWithATimeoutOfASocketHasFailed() {
		start((tick) -> {
			throw (tick.attempt() == 1) ? new InterruptedIOException() : new SocketTimeoutException();
		});
		this.clock.go();
		await(2);
		awaitOutcomes(Outcome.FAILED, Outcome.INTERRUPTED);
	}

	@Test
	void attemptThatEndsInterruptedIsFollowedByTheNextOneOfTheSameNode(CapturedOutput output) {
		start((tick) -> {
			throw new CancellationException();
		});
		this.clock.go();
		Awaitility.await().atMost(PATIENCE).until(() -> !this.nodes.givenUp().isEmpty());
		assertThat(this.begun).extracting(LockTick::attempt).containsExactly(1, 2, 3);
		assertThat(this.nodes.givenUp()).hasSize(1);
		assertThat(output.getAll().lines().filter((line) -> line.contains("gives up"))).singleElement()
			.asString()
			.contains("ERROR", "3 of 3 attempts");
	}

	@Test
	void runWhoseMethodNeverBeginsUsesUpNoAttempt() {
		start((tick) -> {
			if (this.begun.size() <= 4) {
				UnusedRelease.of(Objects.requireNonNull(LockHandle.current())).join();
				throw new IllegalStateException("As with a fence that cannot be raised");
			}
		});
		this.clock.go();
		await(5);
		assertThat(this.begun).allSatisfy((tick) -> assertThat(tick.attempt()).isEqualTo(1));
		awaitOutcomes(Outcome.DONE);
		assertThat(this.nodes.givenUp()).isEmpty();
	}

	@Test
	void deathOfTheOnlyAttemptIsReported(CapturedOutput output) throws Exception {
		start(this::returnPolitely, "--zk-lock.locks.report.max-attempts=1");
		start(this::returnPolitely, "--zk-lock.locks.report.max-attempts=1");
		this.clock.go();
		server.killSession(this.nodes.sessionOf(runner()));
		Awaitility.await().atMost(PATIENCE).until(() -> !this.nodes.givenUp().isEmpty());
		this.never.countDown();
		assertThat(this.begun).hasSize(1);
		assertThat(output).contains("did not come to its end in 1 of 1 attempts");
		assertThat(this.nodes.givenUp()).hasSize(1);
	}

	@Test
	void tickThatIsGivenUpIsReportedForEachKeyAlthoughTheirHashesAreEqual() {
		start((tick) -> {
			throw new CancellationException();
		}, "--app.key=Aa");
		start((tick) -> {
			throw new CancellationException();
		}, "--app.key=BB");
		this.clock.go();
		Awaitility.await()
			.atMost(PATIENCE)
			.untilAsserted(() -> assertThat(this.nodes.givenUp()).extracting(LockRequest::key)
				.containsExactlyInAnyOrder("Aa", "BB"));
	}

	@Test
	void runThatEndsWellInAnOutageLongerThanItsSessionIsNotRepeated(CapturedOutput output) throws Exception {
		start((tick) -> this.never.await());
		this.clock.go();
		await(1);
		CountDownLatch lost = new CountDownLatch(1);
		this.nodes.bean(0, CuratorFramework.class).getConnectionStateListenable().addListener((client, state) -> {
			if (state == ConnectionState.LOST) {
				lost.countDown();
			}
		});
		server.stop();
		try {
			this.never.countDown();
			assertThat(lost.await(60, TimeUnit.SECONDS)).isTrue();
		}
		finally {
			server.restart();
		}
		awaitOutcomes(Outcome.DONE);
		Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> !record().isOpen());
		assertThat(record().earlier()).isEmpty();
		Awaitility.await().during(Duration.ofSeconds(2)).atMost(PATIENCE).until(() -> this.begun.size() == 1);
		assertThat(output).doesNotContain("may seem to have died");
	}

	// As other nodes see it.
	private JobRecord record() throws Exception {
		String path = new LockPaths("", this.nodes.root(), null).job("report", false, "report");
		return JobRecord.parse(this.nodes.bean(0, CuratorFramework.class).getData().forPath(path));
	}

	private void returnPolitely(LockTick tick) {
		try {
			this.never.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void await(int count) {
		Awaitility.await().atMost(PATIENCE).until(() -> this.begun.size() >= count);
	}

	private int runner() {
		await(1);
		for (int i = 0; i < this.nodes.all().size(); i++) {
			if (this.nodes.bean(i, Job.class).hasBegun()) {
				return i;
			}
		}
		throw new IllegalStateException("No node runs the job");
	}

	private void awaitOutcomes(Outcome... latestFirst) {
		ConfigurableApplicationContext node = this.nodes.all()
			.stream()
			.filter(ConfigurableApplicationContext::isActive)
			.findFirst()
			.orElseThrow();
		JobStore.Job job = new JobStore.Job("report", false, "report");
		Awaitility.await()
			.atMost(PATIENCE)
			.ignoreException(LockUnavailableException.class)
			.untilAsserted(() -> assertThat(
					node.getBean(ZooKeeperLockProvider.class).jobs().read(List.of(job), PATIENCE).get(0).runs())
				.extracting((run) -> run.outcome())
				.containsExactly(latestFirst));
	}

	private void start(Body body, String... arguments) {
		this.nodes.start(this.clock,
				(context) -> context.registerBean(Job.class, () -> new Job(this.clock, this.begun, body)), arguments);
	}

	static class Job {

		private final StandingClock clock;

		private final List<LockTick> ticks;

		private final Body body;

		private volatile boolean begun;

		Job(StandingClock clock, List<LockTick> ticks, Body body) {
			this.clock = clock;
			this.ticks = ticks;
			this.body = body;
		}

		@Scheduled(cron = "0 0 * * * *", zone = "UTC")
		@OncePerTick(recoverWithin = "2h")
		@DistributedLock(key = "${app.key:report}", name = "report")
		void report() throws Exception {
			LockTick tick = Objects.requireNonNull(LockTick.current(), "The run is no tick");
			this.clock.awaitGoing();
			this.begun = true;
			this.ticks.add(tick);
			this.body.run(tick);
		}

		boolean hasBegun() {
			return this.begun;
		}

	}

	@FunctionalInterface
	interface Body {

		void run(LockTick tick) throws Exception;

	}

}
