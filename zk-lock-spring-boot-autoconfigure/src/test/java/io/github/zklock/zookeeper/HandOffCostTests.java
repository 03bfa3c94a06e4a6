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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What it costs the server that three processes, each with some who wait, hand one key to
 * one another all the time.
 */
class HandOffCostTests {

	private static final int CLIENTS = 3;

	private static final int THREADS = 8;

	private static final int LOCKS = 4_000;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final List<LockClient<ZooKeeperLockProvider>> clients = new ArrayList<>();

	private final AtomicInteger inside = new AtomicInteger();

	private final AtomicInteger taken = new AtomicInteger();

	private final CyclicBarrier start = new CyclicBarrier(CLIENTS * THREADS);

	private FaultProxy network;

	@BeforeEach
	void connect() {
		this.network = new FaultProxy(server);
		for (int i = 0; i < CLIENTS; i++) {
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

	@Test
	void handOffTakesTwoReadsAndTwoWrites() throws Exception {
		Map<ZooKeeperOperation, Long> requests = this.network.requests().during("/locks/busy", this::useInParallel);
		long together = requests.get(ZooKeeperOperation.MULTI);
		long handOffs = together + requests.get(ZooKeeperOperation.DELETE);
		assertThat(handOffs).isBetween(LOCKS / 20L, (long) LOCKS + CLIENTS * THREADS);
		// The first and the last of each process, and once all its threads were late.
		assertThat(requests.get(ZooKeeperOperation.DELETE)).isLessThanOrEqualTo(3 * CLIENTS);
		// The directory is not there yet for the first ones.
		assertThat(together + requests.get(ZooKeeperOperation.CREATE)).isBetween(handOffs, handOffs + CLIENTS);
		assertThat((double) requests.get(ZooKeeperOperation.GET_CHILDREN) / handOffs).isLessThan(1.1);
		assertThat((double) requests.get(ZooKeeperOperation.GET_DATA) / handOffs).isLessThan(1.1);
	}

	private Void useInParallel() throws Exception {
		List<Future<?>> all = new ArrayList<>();
		for (LockClient<ZooKeeperLockProvider> client : this.clients) {
			for (int i = 0; i < THREADS; i++) {
				all.add(this.threads.submit(use(client)));
			}
		}
		for (Future<?> each : all) {
			each.get();
		}
		return null;
	}

	private Callable<Void> use(LockClient<ZooKeeperLockProvider> client) {
		LockRequest request = LockRequest.of("busy").withWait(Duration.ofMinutes(1));
		return () -> {
			this.start.await();
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
