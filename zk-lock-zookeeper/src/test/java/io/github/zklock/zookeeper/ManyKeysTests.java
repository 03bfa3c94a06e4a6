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

package io.github.zklock.zookeeper;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ServerProcess;
import io.github.zklock.zookeeper.local.LocalQueues;
import io.github.zklock.zookeeper.session.KeyDirectories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keys that are used once, one after the other, by one client: neither the client nor the
 * server keeps anything of them, however many and however fast.
 * {@code -Dkeys=1000000 -Dat.once=256} is the long form, in a JVM of its own: it judges
 * the heap and the threads too, and waits until the server has deleted what was left to
 * it. The nightly build plays it.
 */
@Tag("server")
class ManyKeysTests {

	private static final Logger logger = LoggerFactory.getLogger(ManyKeysTests.class);

	private static final int KEYS = Integer.getInteger("keys", 20_000);

	private static final int AT_ONCE = Integer.getInteger("at.once", 64);

	private static final List<Integer> STOPS = List.of(1, 10, 25, 50, 75, 100);

	private static final long HEAP_NOISE = 4 << 20;

	private static final int NODES_OF_HEARTBEATS = 2;

	@RegisterExtension
	static final ServerProcess server = new ServerProcess();

	private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

	private final Semaphore room = new Semaphore(AT_ONCE);

	private final List<Figures> stops = new ArrayList<>();

	private final long start = System.nanoTime();

	@AutoClose
	private final LockClient<ZooKeeperLockProvider> client = LockClient.connect(server.connectString(),
			Duration.ofSeconds(20), (curator) -> ZooKeeperLockProvider.builder(curator).build());

	@Test
	void nothingIsKeptOfKeysThatAreNotInUse() {
		lock("the first one");
		stop(0);
		int used = 0;
		for (int percent : STOPS) {
			int until = (int) ((long) KEYS * percent / 100);
			IntStream.range(used, until).forEach((i) -> lock("order-" + i));
			used = until;
			stop(used);
		}
		assertThat(this.failures).isEmpty();
		Figures before = this.stops.get(0);
		Figures after = this.stops.get(STOPS.size());
		assertThat(after.inUse()).isEqualTo(before.inUse()).isZero();
		assertThat(after.watches()).as("watches").isEqualTo(before.watches());
		assertThat(after.nodes() - before.nodes()).as("nodes that are left to the server")
			.isLessThan(KeyDirectories.MOST + 1000);
		if (Integer.getInteger("keys") != null) {
			assertThat(after.heap()).as("bytes of the heap").isLessThan(this.stops.get(2).heap() + HEAP_NOISE);
			assertThat(after.threads()).as("threads").isLessThanOrEqualTo(before.threads() + AT_ONCE);
			awaitBaseline(before);
		}
	}

	private void awaitBaseline(Figures before) {
		Awaitility.await("nodes and watches as before")
			.atMost(Duration.ofMinutes(5))
			.pollInterval(Duration.ofSeconds(1))
			.until(() -> server.figure("zk_znode_count") <= before.nodes() + NODES_OF_HEARTBEATS
					&& server.figure("zk_watch_count") <= before.watches());
		stop(KEYS);
	}

	private void lock(String key) {
		this.room.acquireUninterruptibly();
		this.client.locks()
			.acquireAsync(LockRequest.of(key).withWait(Duration.ofMinutes(2)))
			.thenCompose((handle) -> handle.releaseAsync())
			.whenComplete((released, failure) -> {
				if (failure != null) {
					this.failures.add(failure);
				}
				this.room.release();
			});
	}

	private void stop(int keys) {
		this.room.acquireUninterruptibly(AT_ONCE);
		EngineParts engine = EngineParts.of(this.client.locks());
		LocalQueues queues = engine.queues();
		Awaitility.await().until(() -> engine.services().names().size() + queues.size() == 0);
		Figures figures = new Figures(keys, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - this.start), heap(),
				threads(), engine.services().names().size() + queues.size() + engine.stamps().size(),
				server.figure("zk_znode_count"), server.figure("zk_watch_count"));
		this.stops.add(figures);
		logger.info("{}", figures);
		this.room.release(AT_ONCE);
	}

	private static long heap() {
		return IntStream.range(0, 3).mapToLong((i) -> {
			System.gc();
			return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
		}).min().orElseThrow();
	}

	private static int threads() {
		return (int) Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("zk-lock-") || name.startsWith("Curator-")
					|| name.contains("-SendThread(") || name.contains("-EventThread"))
			.count();
	}

	/**
	 * What there is while no key is in use.
	 *
	 * @param keys how many keys were used until then
	 * @param seconds how long it took
	 * @param heap the heap of the client after a collection of garbage, in bytes
	 * @param threads the threads of the client
	 * @param inUse what the client knows of keys that are in use
	 * @param nodes the nodes in ZooKeeper
	 * @param watches the watches in ZooKeeper
	 */
	private record Figures(int keys, long seconds, long heap, int threads, int inUse, long nodes, long watches) {

		@Override
		public String toString() {
			return String.format("| %,d | %d | %,d | %d | %d | %,d | %d |", this.keys, this.seconds, this.heap / 1024,
					this.threads, this.inUse, this.nodes, this.watches);
		}

	}

}
