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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockJob.Outcome;
import io.github.zklock.core.LockJobs;
import io.github.zklock.core.LockRequest;
import io.github.zklock.scheduling.ScheduledRun;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three nodes that share the shards of a tick, on a real server.
 */
@Tag("server")
class ShardedServerTests {

	private static final Instant TEN = Instant.parse("2024-10-05T10:00:00Z");

	private static final int SHARDS = 6;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final JobNodes nodes = new JobNodes(server);

	@AfterEach
	void closeNodes() {
		this.nodes.close();
	}

	@Test
	void eachOfThreeIdleNodesRunsAShardOfEachTickAndNoShardRunsTwice() {
		start(3, Duration.ofMillis(500));
		for (int tick = 0; tick < 20; tick++) {
			Instant time = TEN.plusSeconds(tick);
			runOnAllNodes(time);
			List<List<Integer>> shards = IntStream.range(0, 3).mapToObj((node) -> job(node).shardsOf(time)).toList();
			assertThat(shards).as("shards by node at tick %s", tick)
				.allSatisfy((each) -> assertThat(each).isNotEmpty());
			assertThat(shards.stream().flatMap(List::stream)).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
		}
		LockJob job = this.nodes.bean(0, LockJobs.class).get("reindex");
		assertThat(job.runs()).hasSize(20 * SHARDS).allMatch((run) -> run.outcome() == Outcome.DONE);
	}

	@Test
	void recordSaysIntoHowManyShardsATickIsSplit() throws Exception {
		start(1, Duration.ZERO);
		runOnAllNodes(TEN);
		CuratorFramework client = this.nodes.bean(0, CuratorFramework.class);
		List<String> records = new ArrayList<>();
		for (String child : client.getChildren().forPath(this.nodes.root())) {
			if (child.startsWith("~job~")) {
				records.add(new String(client.getData().forPath(this.nodes.root() + "/" + child)));
			}
		}
		assertThat(records).hasSize(SHARDS + 1)
			.allSatisfy((record) -> assertThat(record).contains("\nshards=6\n", "tick=" + TEN));
	}

	@Test
	void plainCallOfTheKeyExcludesTheJobOnAllNodes() {
		start(2, Duration.ZERO);
		LockHandle plain = this.nodes.bean(0, ZooKeeperLockProvider.class)
			.acquire(LockRequest.of("reindex").withOwner("plain"));
		runOnAllNodes(TEN);
		assertThat(job(0).shardsOf(TEN)).isEmpty();
		assertThat(job(1).shardsOf(TEN)).isEmpty();
		plain.release();
		runOnAllNodes(TEN);
		assertThat(job(0).shardsOf(TEN).size() + job(1).shardsOf(TEN).size()).isEqualTo(SHARDS);
	}

	private void runOnAllNodes(Instant time) {
		int count = this.nodes.all().size();
		CyclicBarrier begin = new CyclicBarrier(count);
		CompletableFuture<?>[] ends = IntStream.range(0, count).mapToObj((node) -> CompletableFuture.runAsync(() -> {
			await(begin);
			ScheduledRun.callAt(time, job(node)::reindex);
		}, (task) -> new Thread(task, "node-" + node).start())).toArray(CompletableFuture[]::new);
		CompletableFuture.allOf(ends).orTimeout(60, TimeUnit.SECONDS).join();
	}

	private static void await(CyclicBarrier begin) {
		try {
			begin.await(60, TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private Job job(int node) {
		return this.nodes.bean(node, Job.class);
	}

	private void start(int count, Duration work) {
		for (int node = 0; node < count; node++) {
			this.nodes.start(Clock.fixed(TEN.minusSeconds(60), ZoneOffset.UTC),
					(context) -> context.registerBean(Job.class, () -> new Job(work)));
		}
	}

	static class Job extends ShardBeans.Shards {

		private final Duration work;

		Job() {
			this(Duration.ZERO);
		}

		Job(Duration work) {
			this.work = work;
		}

		List<Integer> shardsOf(Instant time) {
			return runs().stream()
				.filter((run) -> run.contains(time.toString()))
				.map((run) -> Integer.valueOf(run.split(" ")[0]))
				.toList();
		}

		@Scheduled(cron = "0 0 0 1 1 *", zone = "UTC")
		@OncePerTick(shards = "" + SHARDS)
		@DistributedLock(key = "reindex", name = "reindex")
		void reindex() {
			work();
			try {
				TimeUnit.NANOSECONDS.sleep(Objects.requireNonNull(this.work).toNanos());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
