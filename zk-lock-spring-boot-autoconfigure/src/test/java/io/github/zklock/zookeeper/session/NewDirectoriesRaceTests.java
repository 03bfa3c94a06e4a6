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

package io.github.zklock.zookeeper.session;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.FaultScenario;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * While a process deletes the nodes of keys that it has used, nobody who uses the same
 * key comes to harm.
 */
class NewDirectoriesRaceTests {

	private static final Duration WAIT = Duration.ofSeconds(60);

	private static final int KEYS = 20;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final AtomicInteger inside = new AtomicInteger();

	private final AtomicInteger overlaps = new AtomicInteger();

	private final AtomicLong lastToken = new AtomicLong();

	private FaultScenario scenario;

	@BeforeEach
	void connect() {
		this.scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);
		NewDirectoriesTests.useUpBudget(this.scenario.victim());
		NewDirectoriesTests.useUpBudget(this.scenario.rival());
	}

	@AfterEach
	void disconnect() {
		this.scenario.close();
	}

	@Test
	void othersAtTheSameKeyNoticeNothing() {
		String prefix = UUID.randomUUID().toString();
		for (int i = 0; i < KEYS; i++) {
			String key = prefix + i;
			InterProcessMutex mutex = new InterProcessMutex(this.scenario.rival().curator(), "/locks/" + key);
			LockRequest one = LockRequest.of(key).withWait(WAIT);
			CompletableFuture
				.allOf(start(() -> use(this.scenario.victim(), one)), start(() -> use(this.scenario.rival(), one)),
						start(() -> use(mutex)))
				.orTimeout(1, TimeUnit.MINUTES)
				.join();
		}
		assertThat(this.overlaps).hasValue(0);
		assertThat(server.watched("/locks")).isEmpty();
	}

	private void use(LockClient<?> client, LockRequest one) {
		LockHandle handle = client.locks().acquire(one);
		enter();
		if (this.lastToken.getAndSet(handle.fencingToken()) >= handle.fencingToken()) {
			this.overlaps.incrementAndGet();
		}
		this.inside.decrementAndGet();
		handle.release();
	}

	private void use(InterProcessMutex mutex) throws Exception {
		mutex.acquire();
		enter();
		this.inside.decrementAndGet();
		mutex.release();
	}

	private void enter() {
		if (this.inside.incrementAndGet() > 1) {
			this.overlaps.incrementAndGet();
		}
	}

	private static CompletableFuture<Void> start(Use use) {
		CompletableFuture<Void> done = new CompletableFuture<>();
		new Thread(() -> {
			try {
				LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(TimeUnit.MILLISECONDS.toNanos(40)));
				use.once();
				done.complete(null);
			}
			catch (Exception ex) {
				done.completeExceptionally(ex);
			}
		}).start();
		return done;
	}

	private interface Use {

		void once() throws Exception;

	}

}
