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

package io.github.zklock.interceptor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls that are cancelled while they wait, at about the moment of their grant, and under
 * the lock: nothing is left, and the next one gets the lock.
 */
@Tag("server")
class CancelRaceTests {

	private static final int CALLS = Integer.getInteger("zk-lock.test.race-calls", 1000);

	private static final LockRequest REQUEST = LockRequest.of("race").withWait(Duration.ofSeconds(20));

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final ExecutorService otherThread = Executors.newSingleThreadExecutor();

	private LockClient<ZooKeeperLockProvider> client;

	private Endless endless;

	@BeforeEach
	void connect() {
		this.client = LockClient.connect(server.connectString(), Duration.ofSeconds(20),
				(curator) -> ZooKeeperLockProvider.builder(curator).build());
		this.endless = new GuardedProxy().of(new Endless(), this.client.locks());
	}

	@AfterEach
	void nothingIsLeft() {
		this.otherThread.shutdown();
		Awaitility.await().untilAsserted(() -> {
			assertThat(server.children("/locks/race")).isEmpty();
			assertThat(server.watched("/locks")).isEmpty();
			assertThat(this.client.locks().heldLocks()).isZero();
			assertThat(this.client.locks().pendingDeletes()).isZero();
		});
		this.client.close();
	}

	@Test
	void futureIsCancelledAtTheMomentOfItsGrant() throws Exception {
		race((ran) -> {
			CompletableFuture<String> result = this.endless.future(ran);
			return () -> result.cancel(true);
		});
	}

	@Test
	void monoIsCancelledAtTheMomentOfItsGrant() throws Exception {
		race((ran) -> this.endless.mono(ran).subscribe());
	}

	@Test
	void waitingCallsParkNoThread() {
		LockHandle holder = this.client.locks().acquire(REQUEST);
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		List<Disposable> waiting = new ArrayList<>();
		for (int i = 0; i < 500; i++) {
			CompletableFuture<String> result = this.endless.future(new AtomicBoolean());
			waiting.add(() -> result.cancel(true));
			waiting.add(this.endless.mono(new AtomicBoolean()).subscribe());
		}
		assertThat(server.children("/locks/race")).hasSize(1);
		Set<Thread> begun = new HashSet<>(Thread.getAllStackTraces().keySet());
		begun.removeAll(before);
		assertThat(begun).hasSizeLessThan(100);
		waiting.forEach(Disposable::dispose);
		holder.release();
	}

	private void race(Function<AtomicBoolean, Disposable> call) throws Exception {
		int granted = 0;
		long delay = 1_000_000;
		// Both outcomes are wanted, on a slow and on a fast machine.
		for (int i = 0; i < CALLS || granted == 0 || granted == i; i++) {
			LockHandle holder = this.client.locks().acquire(REQUEST);
			AtomicBoolean ran = new AtomicBoolean();
			Disposable waiting = call.apply(ran);
			CompletableFuture<Void> released = CompletableFuture.runAsync(holder::release, this.otherThread);
			LockSupport.parkNanos(delay);
			waiting.dispose();
			released.get(30, TimeUnit.SECONDS);
			granted += ran.get() ? 1 : 0;
			// So that both are about equally frequent.
			delay = ran.get() ? delay - delay / 16 : delay + delay / 16;
		}
	}

	static class Endless {

		@DistributedLock("race")
		CompletableFuture<String> future(AtomicBoolean ran) {
			ran.set(true);
			return CompletableFuture.completedFuture("done");
		}

		@DistributedLock("race")
		Mono<String> mono(AtomicBoolean ran) {
			ran.set(true);
			return Mono.never();
		}

	}

}
