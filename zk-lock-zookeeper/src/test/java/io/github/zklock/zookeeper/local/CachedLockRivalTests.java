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

package io.github.zklock.zookeeper.local;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A lock that one process keeps, in the eyes of another process that wants it.
 */
@Tag("server")
class CachedLockRivalTests {

	// Less than a lock may be idle.
	private static final Duration WAIT = Duration.ofSeconds(30);

	private static final Duration TRY_TIMEOUT = Duration.ofSeconds(15);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final FaultScenario scenario = new FaultScenario(server,
			(curator) -> ZooKeeperLockProvider.builder(curator)
				.serverTick(ZooKeeperServerFixture.TICK)
				.tryTimeout(TRY_TIMEOUT)
				.build());

	@AfterEach
	void leaveNothing() {
		rival().acquire(this.scenario.request(WAIT)).release();
		this.scenario.assertNothingLeft();
		Awaitility.await().untilAsserted(() -> assertThat(server.watched("/locks")).isEmpty());
	}

	@Test
	void lockThatNobodyHoldsIsGivenBackAtOnce() {
		long token = keep(cached());
		LockHandle next = rival().acquire(this.scenario.request(WAIT));
		assertThat(next.fencingToken()).isGreaterThan(token);
		assertThat(this.scenario.left()).hasSize(1);
		next.release();
	}

	@Test
	void lockThatWasHeldOnceIsGivenBackAtOnce() {
		for (int i = 0; i < 5; i++) {
			locks().acquire(cached()).release();
			rival().acquire(this.scenario.request(WAIT)).release();
		}
	}

	@Test
	void lockThatIsHeldIsGivenBackAfterItsHolder() throws Exception {
		keep(cached());
		LockHandle holder = locks().acquireAsync(cached()).join();
		CompletableFuture<LockHandle> next = rival().acquireAsync(this.scenario.request(WAIT));
		Awaitility.await().until(() -> this.scenario.left().size() == 2);
		assertThat(next).isNotDone();
		assertThat(holder.isHeld()).isTrue();
		holder.release();
		LockHandle granted = next.get(WAIT.toSeconds(), TimeUnit.SECONDS);
		assertThat(this.scenario.left()).hasSize(1);
		granted.release();
	}

	@Test
	void processThatNeverStopsToLockLetsOthersIn() throws Exception {
		AtomicBoolean done = new AtomicBoolean();
		CompletableFuture<Void> loop = CompletableFuture.runAsync(() -> {
			while (!done.get()) {
				locks().acquire(cached().withWait(WAIT.multipliedBy(2))).release();
			}
		});
		for (int i = 0; i < 20; i++) {
			rival().acquire(cached()).release();
		}
		done.set(true);
		loop.get(WAIT.toSeconds(), TimeUnit.SECONDS);
	}

	@Test
	void singleTryGetsALockThatNobodyHolds() {
		for (int i = 0; i < 5; i++) {
			keep(cached());
			LockHandle next = rival().acquire(this.scenario.request(Duration.ZERO));
			assertThat(next.isHeld()).isTrue();
			next.release();
		}
		keep(cached());
		LockHandle other = locks().acquireAsync(cached().withMode(LockMode.WRITE).withWait(Duration.ZERO)).join();
		assertThat(other.isHeld()).isTrue();
		other.release();
	}

	@Test
	void singleTryOfALockThatIsHeldIsRefused() {
		keep(cached());
		LockHandle holder = locks().acquireAsync(cached()).join();
		long start = System.nanoTime();
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> rival().acquire(this.scenario.request(Duration.ZERO)));
		assertThat(System.nanoTime() - start).isLessThan(TRY_TIMEOUT.toNanos());
		assertThat(holder.isHeld()).isTrue();
		holder.release();
	}

	@Test
	void readersOfAnotherProcessDoNotTakeItFromReaders() {
		LockRequest read = cached().withMode(LockMode.READ);
		keep(read);
		String kept = this.scenario.left().get(0);
		LockHandle reader = rival().acquire(read.withCache(false));
		assertThat(this.scenario.left()).contains(kept);
		reader.release();
		locks().acquire(read).release();
		Awaitility.await().untilAsserted(() -> assertThat(this.scenario.left()).containsExactly(kept));
		rival().acquire(this.scenario.request(WAIT).withMode(LockMode.WRITE)).release();
		Awaitility.await().untilAsserted(() -> assertThat(this.scenario.left()).isEmpty());
	}

	@Test
	void plainRecipeGetsTheLock() throws Exception {
		keep(cached());
		InterProcessMutex mutex = new InterProcessMutex(this.scenario.rival().curator(), this.scenario.directory());
		assertThat(mutex.acquire(WAIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		mutex.release();
	}

	private long keep(LockRequest request) {
		locks().acquire(request).release();
		// Waits until it is known that nobody else wants the lock.
		LockHandle again = locks().acquire(request);
		again.release();
		assertThat(this.scenario.left()).hasSize(1);
		return again.fencingToken();
	}

	private LockRequest cached() {
		return this.scenario.request(WAIT).withCache(true);
	}

	private LockProvider locks() {
		return this.scenario.victim().locks();
	}

	private LockProvider rival() {
		return this.scenario.rival().locks();
	}

}
