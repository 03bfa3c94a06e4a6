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
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What it costs the server that several processes, each with some who wait, hand one key
 * to one another all the time. The requests are printed and not judged, since they depend
 * on how the threads are scheduled.
 */
@Tag("server")
class HandOffCostTests {

	private static final int THREADS = 8;

	private static final int LOCKS = 4_000;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final List<LockClient<ZooKeeperLockProvider>> clients = new ArrayList<>();

	private final AtomicInteger inside = new AtomicInteger();

	private final AtomicInteger taken = new AtomicInteger();

	private final FaultProxy network = new FaultProxy(server);

	private void connect(int count) {
		for (int i = 0; i < count; i++) {
			this.clients.add(LockClient.connect(this.network.connectString(), Duration.ofSeconds(20),
					(curator) -> ZooKeeperLockProvider.builder(curator).build()));
		}
	}

	@AfterEach
	void disconnect() {
		this.threads.shutdown();
		this.clients.forEach(LockClient::close);
		this.network.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 8 })
	void processesThatShareAKeyExcludeEachOther(int clients) throws Exception {
		connect(clients);
		Map<ZooKeeperOperation, Long> requests = this.network.requests().during("/locks/busy", this::useInParallel);
		long handOffs = requests.get(ZooKeeperOperation.DELETE);
		assertThat(handOffs).isBetween((long) clients, (long) LOCKS + clients * THREADS);
		System.out.printf(Locale.ROOT, "%d processes, for each of %d hand-overs:%n", clients, handOffs);
		requests.forEach((operation, count) -> System.out.printf(Locale.ROOT, "%s %.2f%n", operation,
				(double) count / handOffs));
	}

	private Void useInParallel() throws Exception {
		List<Future<?>> all = new ArrayList<>();
		CyclicBarrier start = new CyclicBarrier(this.clients.size() * THREADS);
		for (LockClient<ZooKeeperLockProvider> client : this.clients) {
			for (int i = 0; i < THREADS; i++) {
				all.add(this.threads.submit(use(client, start)));
			}
		}
		for (Future<?> each : all) {
			each.get();
		}
		return null;
	}

	private Callable<Void> use(LockClient<ZooKeeperLockProvider> client, CyclicBarrier start) {
		LockRequest request = LockRequest.of("busy").withWait(Duration.ofMinutes(1));
		return () -> {
			start.await();
			// All stop at once: one left alone would have nobody to hand the lock to.
			while (this.taken.incrementAndGet() <= LOCKS) {
				LockHandle handle = client.locks().acquire(request);
				assertThat(this.inside.incrementAndGet()).isOne();
				this.inside.decrementAndGet();
				handle.release();
			}
			return null;
		};
	}

}
