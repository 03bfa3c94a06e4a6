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
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockProvider;
import io.github.zklock.support.IndependentOfBoot;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.ReleaseMode;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nobody is overlooked by a process that does not list a queue, although its directory is
 * deleted again and again, so that small numbers are given out again and again.
 */
@IndependentOfBoot
class QuietQueuesRaceTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final AtomicBoolean done = new AtomicBoolean();

	private final AtomicInteger inside = new AtomicInteger();

	private final AtomicInteger overlaps = new AtomicInteger();

	private final AtomicLong lastToken = new AtomicLong();

	private FaultScenario scenario;

	@AfterEach
	void disconnect() {
		this.threads.shutdown();
		this.scenario.close();
	}

	@ParameterizedTest
	@EnumSource
	void nobodyIsOverlookedInADirectoryThatComesAndGoes(ReleaseMode release) {
		connect(release);
		assertNobodyIsOverlooked(300, () -> {
		});
	}

	@ParameterizedTest
	@EnumSource
	void nobodyIsOverlookedWhileConnectionsBreak(ReleaseMode release) {
		connect(release);
		assertNobodyIsOverlooked(40, this.scenario.network()::killConnections);
	}

	private void connect(ReleaseMode release) {
		this.scenario = new FaultScenario(server,
				(curator) -> ZooKeeperLockProvider.builder(curator)
					.serverTick(ZooKeeperServerFixture.TICK)
					.release(release)
					.build());
	}

	private void assertNobodyIsOverlooked(int locks, Runnable fault) {
		CompletableFuture<Void> reaper = repeat(5, 30, server::reapContainers);
		CompletableFuture<Void> breaker = repeat(150, 200, fault);
		CompletableFuture<Void> rival = repeat(5, 40, () -> use(this.scenario.rival()));
		Random random = new Random(2);
		for (int i = 0; i < locks; i++) {
			use(this.scenario.victim());
			if (random.nextInt(8) == 0) {
				pause(random.nextInt(15));
			}
		}
		this.done.set(true);
		CompletableFuture.allOf(reaper, breaker, rival).orTimeout(30, TimeUnit.SECONDS).join();
		assertThat(this.overlaps).hasValue(0);
	}

	private CompletableFuture<Void> repeat(int least, int most, Runnable action) {
		Random random = new Random(most);
		return CompletableFuture.runAsync(() -> {
			while (!this.done.get()) {
				action.run();
				pause(least + random.nextInt(most - least));
			}
		}, this.threads);
	}

	private void use(LockClient<? extends LockProvider> client) {
		LockHandle handle = client.locks().acquire(this.scenario.request(WAIT));
		if (this.inside.incrementAndGet() > 1
				|| this.lastToken.getAndSet(handle.fencingToken()) >= handle.fencingToken()) {
			this.overlaps.incrementAndGet();
		}
		Thread.onSpinWait();
		this.inside.decrementAndGet();
		handle.release();
	}

	private static void pause(int millis) {
		LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
	}

}
