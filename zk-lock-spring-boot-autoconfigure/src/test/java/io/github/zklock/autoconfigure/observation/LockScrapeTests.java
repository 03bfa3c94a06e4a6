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

package io.github.zklock.autoconfigure.observation;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.autoconfigure.observation.ObservedApplication.Orders;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockJobs;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.LockTick;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.micrometer.core.instrument.MeterRegistry;
import org.apache.curator.framework.CuratorFramework;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What Prometheus is told of the locks of an application.
 */
@Tag("server")
class LockScrapeTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private static ConfigurableApplicationContext application;

	private static LockTemplate locks;

	@BeforeAll
	static void start() {
		application = ObservedApplication.start(server, WebApplicationType.SERVLET, 1);
		locks = application.getBean(LockTemplate.class);
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@Test
	void guardedMethodIsCountedByItsNameAndNotItsKey() throws Exception {
		application.getBean(Orders.class).place("secret-4711", () -> {
		});
		String name = "mode=\"exclusive\",name=\"orders\"";
		String scrape = ObservedApplication.scrape(application);
		assertThat(scrape).contains("zk_lock_wait_seconds_count{" + name + ",outcome=\"acquired\"}")
			.contains("zk_lock_hold_seconds_count{" + name + ",outcome=\"released\"}")
			.contains("zk_lock_hold_seconds_count{" + name + ",outcome=\"lost\"} 0")
			.contains("zk_lock_lost_total{" + name + "} 0.0")
			.contains("zk_lock_rollbacks_total{" + name + "} 0.0")
			.contains("zk_lock_unavailable_total{" + name + "} 0.0")
			.contains("zk_lock_held{" + name + "} 0.0")
			.contains("zk_lock_waiting{" + name + "} 0.0")
			.contains("zk_lock_pending_deletes{provider=\"zkLockProvider\"} 0.0")
			.contains("zk_lock_connected{provider=\"zkLockProvider\"} 1.0")
			.contains("zk_lock_requeued_total{provider=\"zkLockProvider\"}")
			.contains("zk_lock_job_unreadable_total{provider=\"zkLockProvider\"} 0.0")
			.contains("zk_lock_lease_left_seconds{provider=\"zkLockProvider\"}")
			.doesNotContain("secret-4711")
			.doesNotContain("zk_lock_span");
	}

	@Test
	void heldAndWaitingLocksAreSeenAsLongAsTheyAre() throws Exception {
		LockRequest request = LockRequest.of("seen").withName("seen").withWait(WAIT);
		CompletableFuture<Void> done = new CompletableFuture<>();
		CompletableFuture<Void> holder = CompletableFuture
			.runAsync(() -> locks.execute(request, (handle) -> done.join()));
		awaitSample("zk_lock_held{mode=\"exclusive\",name=\"seen\"}", 1);
		assertThat(sample("zk_lock_lease_left_seconds{provider=\"zkLockProvider\"}")).isPositive();
		CompletableFuture<Void> waiter = CompletableFuture.runAsync(() -> locks.execute(request, (handle) -> null));
		awaitSample("zk_lock_waiting{mode=\"exclusive\",name=\"seen\"}", 1);
		done.complete(null);
		CompletableFuture.allOf(holder, waiter).get(30, TimeUnit.SECONDS);
		awaitSample("zk_lock_held{mode=\"exclusive\",name=\"seen\"}", 0);
		awaitSample("zk_lock_waiting{mode=\"exclusive\",name=\"seen\"}", 0);
	}

	@Test
	void thousandKeysAddNoMeter() {
		MeterRegistry registry = application.getBean(MeterRegistry.class);
		locks.execute(LockRequest.of("0").withName("keys"), (handle) -> null);
		long before = registry.getMeters()
			.stream()
			.filter((meter) -> meter.getId().getName().startsWith("zk.lock"))
			.count();
		assertThat(before).isPositive();
		for (int i = 0; i < 1000; i++) {
			locks.execute(LockRequest.of("key-" + i).withName("keys"), (handle) -> null);
		}
		assertThat(registry.getMeters().stream().filter((meter) -> meter.getId().getName().startsWith("zk.lock")))
			.hasSize((int) before);
	}

	@Test
	void lossAndNewPlaceInTheQueueAreCounted() throws Exception {
		CuratorFramework client = application.getBean(CuratorFramework.class);
		double before = sample("zk_lock_requeued_total{provider=\"zkLockProvider\"}");
		try (LockClient<ZooKeeperLockProvider> rival = LockClient.connect(server.connectString(),
				Duration.ofSeconds(20), (curator) -> ZooKeeperLockProvider.builder(curator).tryTimeout(WAIT).build())) {
			LockHandle others = rival.locks().acquire(LockRequest.of("others"));
			LockHandle held = locks.acquire(List.of(LockRequest.of("mine").withName("loss")));
			CompletableFuture<LockHandle> waiting = locks
				.acquireAsync(List.of(LockRequest.of("others").withName("queue").withWait(WAIT)));
			Awaitility.await().until(() -> server.children("/locks/others").size() == 2);
			server.killSession(client.getZookeeperClient().getZooKeeper().getSessionId());
			awaitSample("zk_lock_lost_total{mode=\"exclusive\",name=\"loss\"}", 1);
			awaitSample("zk_lock_held{mode=\"exclusive\",name=\"loss\"}", 0);
			held.release();
			awaitSample("zk_lock_requeued_total{provider=\"zkLockProvider\"}", before + 1);
			others.release();
			waiting.get(30, TimeUnit.SECONDS).release();
		}
		assertThat(sample("zk_lock_hold_seconds_count{mode=\"exclusive\",name=\"loss\"," + "outcome=\"lost\"}"))
			.isOne();
		awaitSample("zk_lock_held{mode=\"exclusive\",name=\"loss\"}", 0);
	}

	@Test
	void lossThatIsNoticedAtTheReleaseIsCountedAndTheLockIsNotHeldAnyMore() throws Exception {
		LockRequest request = LockRequest.of("revoked").withName("revoked");
		ZooKeeperLockProvider provider = application.getBean(ZooKeeperLockProvider.class);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> locks.execute(request,
				(handle) -> provider.inspector().revoke(handle.key(), handle.fencingToken(), WAIT)));
		awaitSample("zk_lock_lost_total{mode=\"exclusive\",name=\"revoked\"}", 1);
		awaitSample("zk_lock_held{mode=\"exclusive\",name=\"revoked\"}", 0);
	}

	@Test
	void ticksThatRunAndThoseOfOtherNodesAreCounted() throws Exception {
		locks.execute(tick(), (handle) -> null);
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> locks.execute(tick(), (handle) -> null));
		assertThat(sample("zk_lock_ticks_run_total{name=\"report\"}")).isOne();
		assertThat(sample("zk_lock_ticks_skipped_total{name=\"report\"}")).isOne();
	}

	@Test
	void jobIsShownWithWhatTheClusterKnows() throws Exception {
		LockJobs jobs = application.getBean(LockJobs.class);
		jobs.pause("yearly", null);
		jobs.run("yearly").get(30, TimeUnit.SECONDS);
		awaitSample("zk_lock_job_runs_total{name=\"yearly\",outcome=\"done\"}", 1);
		awaitSample("zk_lock_job_paused{name=\"yearly\"}", 1);
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> sample("zk_lock_job_last_success_seconds{name=\"yearly\"}") >= 0);
		assertThat(sample("zk_lock_job_missed{name=\"yearly\"}")).isZero();
		assertThat(sample("zk_lock_job_recoveries_total{name=\"yearly\"}")).isZero();
		assertThat(sample("zk_lock_job_runs_total{name=\"yearly\",outcome=\"failed\"}")).isZero();
	}

	private static LockRequest tick() {
		return LockRequest.of("tick")
			.withName("report")
			.withTick(LockTick.at("com.example.Jobs.report", Instant.parse("2024-10-05T10:00:00Z")));
	}

	private static void awaitSample(String name, double value) {
		Awaitility.await().untilAsserted(() -> assertThat(sample(name)).as(name).isEqualTo(value));
	}

	private static double sample(String name) throws Exception {
		return ObservedApplication.scrape(application)
			.lines()
			.filter((line) -> line.startsWith(name + " "))
			.mapToDouble((line) -> Double.parseDouble(line.substring(name.length() + 1)))
			.findFirst()
			.orElse(Double.NaN);
	}

}
