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
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
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
import io.github.zklock.core.internal.JobStore;
import io.github.zklock.core.internal.LockObserver;
import io.github.zklock.core.internal.UnusedRelease;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.node.JobRecord;
import io.github.zklock.zookeeper.node.LockPaths;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

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

	private final String root = "/" + UUID.randomUUID();

	private final List<LockTick> begun = new CopyOnWriteArrayList<>();

	private final List<LockRequest> givenUp = new CopyOnWriteArrayList<>();

	private final List<ConfigurableApplicationContext> nodes = new ArrayList<>();

	private final CountDownLatch never = new CountDownLatch(1);

	private final StandingClock clock = new StandingClock();

	@AfterEach
	void closeNodes() {
		this.never.countDown();
		this.clock.go();
		this.nodes.forEach(ConfigurableApplicationContext::close);
	}

	@Test
	void runThatReturnsPolitelyInAShutdownIsRepeatedOnAnotherNode() {
		start(this::returnPolitely);
		start(this::returnPolitely);
		this.clock.go();
		this.nodes.get(runner()).close();
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
		Awaitility.await().atMost(PATIENCE).until(() -> !this.givenUp.isEmpty());
		assertThat(this.begun).extracting(LockTick::attempt).containsExactly(1, 2, 3);
		assertThat(this.givenUp).hasSize(1);
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
		assertThat(this.givenUp).isEmpty();
	}

	@Test
	void deathOfTheOnlyAttemptIsReported(CapturedOutput output) throws Exception {
		start(this::returnPolitely, "--zk-lock.locks.report.max-attempts=1");
		start(this::returnPolitely, "--zk-lock.locks.report.max-attempts=1");
		this.clock.go();
		server.killSession(sessionOf(runner()));
		Awaitility.await().atMost(PATIENCE).until(() -> !this.givenUp.isEmpty());
		this.never.countDown();
		assertThat(this.begun).hasSize(1);
		assertThat(output).contains("did not come to its end in 1 of 1 attempts");
		assertThat(this.givenUp).hasSize(1);
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
			.untilAsserted(
					() -> assertThat(this.givenUp).extracting(LockRequest::key).containsExactlyInAnyOrder("Aa", "BB"));
	}

	@Test
	void runThatEndsWellInAnOutageLongerThanItsSessionIsNotRepeated(CapturedOutput output) throws Exception {
		start((tick) -> this.never.await());
		this.clock.go();
		await(1);
		CountDownLatch lost = new CountDownLatch(1);
		this.nodes.get(0)
			.getBean(CuratorFramework.class)
			.getConnectionStateListenable()
			.addListener((client, state) -> {
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
		String path = new LockPaths("", this.root, null).job("report", false, "report");
		return JobRecord.parse(this.nodes.get(0).getBean(CuratorFramework.class).getData().forPath(path));
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
		for (int i = 0; i < this.nodes.size(); i++) {
			if (this.nodes.get(i).getBean(Job.class).hasBegun()) {
				return i;
			}
		}
		throw new IllegalStateException("No node runs the job");
	}

	private void awaitOutcomes(Outcome... latestFirst) {
		ConfigurableApplicationContext node = this.nodes.stream()
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

	private long sessionOf(int node) throws Exception {
		return this.nodes.get(node).getBean(CuratorFramework.class).getZookeeperClient().getZooKeeper().getSessionId();
	}

	private void start(Body body, String... arguments) {
		this.nodes.add(new SpringApplicationBuilder(Node.class).web(WebApplicationType.NONE)
			.properties(Map.of("zk-lock.connect-string", server.connectString(), "zk-lock.root", this.root,
					"zk-lock.session-timeout", "4s", "zk-lock.try-timeout", "5s", "zk-lock.lease.server-tick", "200ms",
					"spring.main.banner-mode", "off"))
			.initializers((GenericApplicationContext context) -> {
				context.registerBean(Job.class, () -> new Job(this.clock, this.begun, body));
				context.registerBean(GivenUp.class, () -> new GivenUp(this.givenUp));
				context.registerBean("taskScheduler", ThreadPoolTaskScheduler.class, () -> scheduler(this.clock));
			})
			.run(arguments));
	}

	private static ThreadPoolTaskScheduler scheduler(Clock clock) {
		ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
		scheduler.setPoolSize(2);
		scheduler.setClock(clock);
		return scheduler;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	@ImportAutoConfiguration({ ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class,
			ZkLockSchedulingAutoConfiguration.class })
	static class Node {

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
			this.clock.going.await();
			this.begun = true;
			this.ticks.add(tick);
			this.body.run(tick);
		}

		boolean hasBegun() {
			return this.begun;
		}

	}

	/**
	 * A clock that stands still before the tick until all nodes have planned it, so that
	 * no machine is too slow.
	 */
	private static final class StandingClock extends Clock {

		private final CountDownLatch going = new CountDownLatch(1);

		private volatile @Nullable Duration offset;

		synchronized void go() {
			if (this.offset == null) {
				this.offset = Duration.between(Instant.now(), TEN);
				this.going.countDown();
			}
		}

		@Override
		public Instant instant() {
			Duration known = this.offset;
			return (known != null) ? Instant.now().plus(known) : TEN.minusSeconds(2);
		}

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

	}

	@FunctionalInterface
	interface Body {

		void run(LockTick tick) throws Exception;

	}

	record GivenUp(List<LockRequest> ticks) implements LockObserver {

		@Override
		public void givenUp(LockRequest request) {
			this.ticks.add(request);
		}

	}

}
