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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockJob.Outcome;
import io.github.zklock.core.LockJobs;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockStatus.Connection;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.awaitility.Awaitility;
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
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Jobs are paused, resumed and run by hand on a real server, which keeps what it knows.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class LockJobsServerTests {

	private static final String NAME = "report";

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final String root = "/" + UUID.randomUUID();

	private Instant tick = Instant.now();

	@Test
	void pauseOutlivesARestartOfEverything() throws Exception {
		try (ConfigurableApplicationContext node = start("* * * * * *")) {
			Awaitility.await().atMost(PATIENCE).until(() -> last(node).outcome() == Outcome.DONE);
			jobs(node).pause(NAME, "admin");
		}
		server.stop();
		server.restart();
		try (ConfigurableApplicationContext one = start("* * * * * *");
				ConfigurableApplicationContext other = start("* * * * * *")) {
			assertThat(jobs(one).get(NAME).pausedBy()).isEqualTo("admin");
			assertThat(jobs(other).get(NAME).pausedSince()).isNotNull();
			int runs = runs(one) + runs(other);
			LockJob.Run before = last(one);
			Awaitility.await()
				.during(Duration.ofSeconds(3))
				.atMost(PATIENCE)
				.until(() -> runs(one) + runs(other) == runs && last(other).equals(before));
			jobs(one).run(NAME).get(60, TimeUnit.SECONDS);
			Awaitility.await().atMost(PATIENCE).until(() -> last(other).byHand());
			assertThat(runs(one)).isPositive();
			jobs(other).resume(NAME);
			Awaitility.await().atMost(PATIENCE).until(() -> last(one).time() != null);
			assertThat(jobs(one).get(NAME).pausedBy()).isNull();
		}
	}

	@Test
	void runIsRefusedWhileTheKeyIsTakenAndShownWhileItGoesOn() throws Exception {
		try (ConfigurableApplicationContext one = start("-"); ConfigurableApplicationContext other = start("-")) {
			assertThat(jobs(one).list()).isEmpty();
		}
		try (ConfigurableApplicationContext one = start("0 0 0 1 1 *");
				ConfigurableApplicationContext other = start("0 0 0 1 1 *")) {
			LockHandle held = other.getBean(ZooKeeperLockProvider.class).acquire(LockRequest.of("report"));
			assertThat(jobs(one).run(NAME)).failsWithin(PATIENCE)
				.withThrowableThat()
				.withCauseInstanceOf(LockNotAcquiredException.class);
			held.release();
			Job job = one.getBean(Job.class);
			job.working(true);
			jobs(one).run(NAME).get(60, TimeUnit.SECONDS);
			assertThat(last(other).outcome()).isEqualTo(Outcome.RUNNING);
			assertThat(last(other).ended()).isNull();
			job.working(false);
			Awaitility.await().atMost(PATIENCE).until(() -> last(other).outcome() == Outcome.DONE);
			assertThat(last(other).ended()).isAfterOrEqualTo(last(other).began());
		}
	}

	@Test
	void pauseInAnOutageIsReported() throws Exception {
		try (ConfigurableApplicationContext node = start("0 0 0 1 1 *")) {
			server.stop();
			try {
				assertThatExceptionOfType(LockUnavailableException.class)
					.isThrownBy(() -> jobs(node).pause(NAME, null));
			}
			finally {
				server.restart();
			}
			Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> {
				jobs(node).pause(NAME, null);
				return jobs(node).get(NAME).pausedSince() != null;
			});
		}
	}

	@Test
	void nodeThatHoldsNoRecordIsShownAsAJobThatHasNotRunAndOverwrittenByAPause(CapturedOutput output) throws Exception {
		try (ConfigurableApplicationContext node = start("0 0 0 1 1 *")) {
			jobs(node).pause(NAME, "admin");
			CuratorFramework client = node.getBean(CuratorFramework.class);
			List<String> found = client.getChildren().forPath(this.root);
			String job = found.stream().filter((child) -> child.startsWith("~job~")).findFirst().orElseThrow();
			client.setData().forPath(this.root + "/" + job, "paused=now\n".getBytes(StandardCharsets.UTF_8));
			assertThat(jobs(node).get(NAME).pausedSince()).isNull();
			assertThat(jobs(node).get(NAME).runs()).isEmpty();
			jobs(node).pause(NAME, "operator");
			assertThat(jobs(node).get(NAME).pausedBy()).isEqualTo("operator");
			assertThat(output.getAll().lines().filter((line) -> line.contains("does not hold the record of a run")))
				.singleElement()
				.asString()
				.contains("WARN", job);
			assertThat(node.getBean(ZooKeeperLockProvider.class).unreadableJobs()).isEqualTo(1);
		}
	}

	@Test
	void halfAPauseIsShownExactlyIfItStopsTheNextRun() throws Exception {
		try (ConfigurableApplicationContext node = start("0 0 0 1 1 *")) {
			CuratorFramework client = node.getBean(CuratorFramework.class);
			jobs(node).pause(NAME, "admin");
			List<String> records = records(client);
			assertThat(records).hasSize(2);
			assertShownAsItActs(node, true);
			client.delete().forPath(records.get(1));
			assertShownAsItActs(node, true);
			jobs(node).pause(NAME, "operator");
			assertThat(records(client)).isEqualTo(records);
			assertThat(jobs(node).get(NAME).pausedBy()).isEqualTo("admin");
			client.delete().forPath(records.get(0));
			assertShownAsItActs(node, false);
			jobs(node).resume(NAME);
			assertThat(new String(client.getData().forPath(records.get(1)), StandardCharsets.UTF_8))
				.doesNotContain("paused=");
			assertShownAsItActs(node, false);
		}
	}

	@Test
	void recordThatAStrangerKeepsToItselfHidesNoPause() throws Exception {
		try (ConfigurableApplicationContext node = start("0 0 0 1 1 *")) {
			CuratorFramework client = node.getBean(CuratorFramework.class);
			jobs(node).pause(NAME, "admin");
			String other = records(client).get(1);
			jobs(node).resume(NAME);
			client.delete().forPath(other);
			Id stranger = new Id("digest", "stranger:AAAAAAAAAAAAAAAAAAAAAAAAAAA=");
			client.create().withACL(List.of(new ACL(Perms.ALL, stranger))).forPath(other, new byte[0]);
			assertThatExceptionOfType(LockAccessException.class).isThrownBy(() -> jobs(node).pause(NAME, "admin"))
				.withMessageContaining(other);
			assertShownAsItActs(node, true);
			jobs(node).resume(NAME);
			assertShownAsItActs(node, false);
		}
	}

	@Test
	void runByHandThatHasNotBegunEndsWithTheApplication() throws Exception {
		CompletableFuture<Void> waiting;
		try (ConfigurableApplicationContext node = start("0 0 0 1 1 *")) {
			node.getBean(Job.class).working(true);
			jobs(node).run(NAME).get(60, TimeUnit.SECONDS);
			// The scheduler has one thread.
			waiting = jobs(node).run(NAME);
		}
		assertThat(waiting).failsWithin(PATIENCE)
			.withThrowableThat()
			.withCauseInstanceOf(LockUnavailableException.class)
			.withMessageContaining(
					"the run of the job 'report' by hand did not begin, since the application is closed");
	}

	// Of ticks, and of periodic runs.
	private List<String> records(CuratorFramework client) throws Exception {
		return client.getChildren()
			.forPath(this.root)
			.stream()
			.filter((child) -> child.startsWith("~job~"))
			.sorted(Comparator.comparing(String::length))
			.map((child) -> this.root + "/" + child)
			.toList();
	}

	private void assertShownAsItActs(ConfigurableApplicationContext node, boolean paused) {
		this.tick = this.tick.plusSeconds(1);
		LockRequest next = LockRequest.of("report").withTick(LockTick.at(NAME, this.tick));
		LockOperations locks = node.getBean(LockOperations.class);
		assertThat(locks.tryExecute(next, (handle) -> {
		})).isEqualTo(!paused);
		assertThat(jobs(node).get(NAME).pausedSince() != null).isEqualTo(paused);
		assertThat(jobs(node).list()).singleElement()
			.satisfies((job) -> assertThat(job.pausedSince() != null).isEqualTo(paused));
	}

	private static LockJobs jobs(ConfigurableApplicationContext node) {
		return node.getBean(LockJobs.class);
	}

	private static LockJob.Run last(ConfigurableApplicationContext node) {
		return Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> jobs(node).get(NAME).runs(), (runs) -> !runs.isEmpty())
			.get(0);
	}

	private static int runs(ConfigurableApplicationContext node) {
		return node.getBean(Job.class).runs();
	}

	private ConfigurableApplicationContext start(String cron) {
		ConfigurableApplicationContext node = new SpringApplicationBuilder(Node.class).web(WebApplicationType.NONE)
			.properties(Map.of("zk-lock.connect-string", server.connectString(), "zk-lock.root", this.root,
					"zk-lock.try-timeout", "30s", "zk-lock.lease.server-tick", "200ms", "spring.main.banner-mode",
					"off", "app.cron", cron))
			.run();
		ZooKeeperLockProvider locks = node.getBean(ZooKeeperLockProvider.class);
		Awaitility.await().atMost(PATIENCE).until(() -> locks.status().connection() == Connection.CONNECTED);
		return node;
	}

	@EnableScheduling
	@ImportAutoConfiguration({ ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class,
			ZkLockSchedulingAutoConfiguration.class })
	@Import(Job.class)
	static class Node {

	}

	static class Job {

		private final AtomicInteger runs = new AtomicInteger();

		private volatile boolean working;

		@Scheduled(cron = "${app.cron}", zone = "UTC")
		@DistributedLock(key = "report", name = NAME)
		void report() {
			this.runs.incrementAndGet();
			Awaitility.await().atMost(PATIENCE).until(() -> !this.working);
		}

		int runs() {
			return this.runs.get();
		}

		void working(boolean working) {
			this.working = working;
		}

	}

}
