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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many threads that use many keys with one connection: they exclude each other, and share
 * their packets. How many packets they need is printed and not judged, since it depends
 * on how the threads are scheduled.
 */
@Tag("server")
class CombinedLoadTests {

	private static final int THREADS = 64;

	private static final int KEYS_EACH = 4;

	private static final int ROUNDS = 5;

	private static final int FEW_KEYS = 24;

	private static final Duration WAIT = Duration.ofSeconds(60);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final String prefix = UUID.randomUUID().toString();

	private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

	@AutoClose
	private final FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);

	@AfterEach
	void disconnect() {
		this.threads.shutdownNow();
	}

	@Test
	void locksOfManyThreadsShareTheirPackets() throws Exception {
		inAllThreads((thread) -> useOwnKeys(thread, 1));
		Map<ZooKeeperOperation, Long> packets = this.scenario.network()
			.requests()
			.during("", () -> inAllThreads((thread) -> useOwnKeys(thread, ROUNDS)));
		long locks = (long) THREADS * KEYS_EACH * ROUNDS;
		assertThat(packets).containsKeys(ZooKeeperOperation.MULTI, ZooKeeperOperation.MULTI_READ);
		long sum = packets.values().stream().mapToLong(Long::longValue).sum();
		System.out.printf(Locale.ROOT, "%.2f packets for each lock: %s%n", (double) sum / locks, packets);
	}

	@Test
	void locksOfManyThreadsOfTwoProcessesExcludeEachOther() throws Exception {
		AtomicIntegerArray holders = new AtomicIntegerArray(FEW_KEYS);
		List<LockProvider> processes = List.of(this.scenario.victim().locks(), this.scenario.rival().locks());
		inAllThreads((thread) -> {
			Random random = new Random(thread);
			for (int i = 0; i < ROUNDS * KEYS_EACH; i++) {
				int key = random.nextInt(FEW_KEYS);
				LockHandle handle = processes.get(thread % 2).acquire(request(key));
				assertThat(holders.incrementAndGet(key)).isOne();
				Thread.yield();
				assertThat(holders.decrementAndGet(key)).isZero();
				handle.release();
			}
		});
		for (int i = 0; i < FEW_KEYS; i++) {
			String directory = "/locks/" + request(i).key();
			// A release waits a second for its answer, and goes on.
			Awaitility.await().untilAsserted(() -> assertThat(server.children(directory)).isEmpty());
		}
		assertThat(this.scenario.network().requests().count(ZooKeeperOperation.MULTI, "")).isPositive();
	}

	private void useOwnKeys(int thread, int rounds) {
		for (int i = 0; i < rounds * KEYS_EACH; i++) {
			this.scenario.victim().locks().acquire(request(thread * KEYS_EACH + i % KEYS_EACH)).release();
		}
	}

	private LockRequest request(int key) {
		return LockRequest.of(this.prefix + "-" + key).withWait(WAIT);
	}

	private Void inAllThreads(Work work) throws Exception {
		List<Future<Void>> results = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			int thread = i;
			Callable<Void> task = () -> {
				work.of(thread);
				return null;
			};
			results.add(this.threads.submit(task));
		}
		for (Future<Void> result : results) {
			result.get(WAIT.toSeconds(), TimeUnit.SECONDS);
		}
		return null;
	}

	@FunctionalInterface
	private interface Work {

		void of(int thread) throws Exception;

	}

}
