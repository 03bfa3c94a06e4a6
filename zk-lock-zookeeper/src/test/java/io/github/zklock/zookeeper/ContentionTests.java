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
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockInterruptedException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many threads of two processes on one key, some of which give up at any moment: never
 * two holders, never a token that goes back, nothing left.
 */
@Tag("server")
class ContentionTests {

	private static final String KEY = "hot";

	// Hundreds of requests queue up.
	private static final Duration PATIENCE = Duration.ofMinutes(2);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final List<LockClient<ZooKeeperLockProvider>> clients = new ArrayList<>();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final AtomicInteger readers = new AtomicInteger();

	private final AtomicInteger writers = new AtomicInteger();

	private final AtomicInteger overlaps = new AtomicInteger();

	private final AtomicLong lastToken = new AtomicLong();

	private final AtomicInteger grants = new AtomicInteger();

	@BeforeEach
	void connect() {
		for (int i = 0; i < 2; i++) {
			this.clients.add(LockClient.connect(server.connectString(), Duration.ofSeconds(20),
					(curator) -> ZooKeeperLockProvider.builder(curator).build()));
		}
	}

	@AfterEach
	void leaveNothing() throws Exception {
		this.threads.shutdown();
		assertThat(this.threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
		Awaitility.await().untilAsserted(() -> {
			assertThat(server.children("/locks/" + KEY)).isEmpty();
			assertThat(server.watched("/locks")).isEmpty();
			for (LockClient<ZooKeeperLockProvider> client : this.clients) {
				assertThat(client.locks().heldLocks()).isZero();
				assertThat(client.locks().pendingDeletes()).isZero();
			}
		});
		assertThat(this.overlaps).hasValue(0);
		this.clients.forEach(LockClient::close);
	}

	@Test
	void neverTwoHolders() throws Exception {
		inParallel((random) -> {
			LockMode mode = LockMode.values()[random.nextInt(3)];
			use(acquire(random, mode, PATIENCE));
		}, 40);
		assertThat(this.grants).hasValue(8 * 40);
	}

	@Test
	void timeoutAndGrantInTheSameMoment() throws Exception {
		AtomicInteger refused = new AtomicInteger();
		// Both outcomes are wanted, on a slow and on a fast machine.
		for (int rounds = 1; rounds == 1 || this.grants.get() == 0 || refused.get() == 0; rounds++) {
			inParallel((random) -> {
				try {
					use(acquire(random, LockMode.EXCLUSIVE, Duration.ofMillis(random.nextInt(12))));
				}
				catch (LockNotAcquiredException | LockUnavailableException ex) {
					// Too short a time for an answer is the other way not to get the
					// lock.
					refused.incrementAndGet();
				}
			}, 40);
			assertThat(this.grants.get() + refused.get()).isEqualTo(rounds * 8 * 40);
		}
	}

	@Test
	void interruptAtAnyMoment() throws Exception {
		AtomicBoolean done = new AtomicBoolean();
		List<Thread> targets = new CopyOnWriteArrayList<>();
		CompletableFuture<Void> interrupter = CompletableFuture.runAsync(() -> {
			Random random = new Random(7);
			while (!done.get()) {
				LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
				List.copyOf(targets).stream().filter((thread) -> random.nextInt(4) == 0).forEach(Thread::interrupt);
			}
		}, this.threads);
		AtomicInteger interrupted = new AtomicInteger();
		for (int rounds = 1; interrupted.get() == 0; rounds++) {
			inParallel((random) -> {
				targets.add(Thread.currentThread());
				try {
					use(acquire(random, LockMode.WRITE, PATIENCE));
				}
				catch (LockInterruptedException ex) {
					interrupted.incrementAndGet();
				}
				finally {
					targets.remove(Thread.currentThread());
					Thread.interrupted();
				}
			}, 40);
			assertThat(this.grants.get() + interrupted.get()).isEqualTo(rounds * 8 * 40);
		}
		done.set(true);
		interrupter.get(30, TimeUnit.SECONDS);
	}

	@Test
	void containerIsReapedAtAnyMoment() throws Exception {
		AtomicBoolean done = new AtomicBoolean();
		CompletableFuture<Void> reaper = CompletableFuture.runAsync(() -> {
			while (!done.get()) {
				server.reapContainers();
			}
		}, this.threads);
		inParallel((random) -> {
			use(acquire(random, LockMode.EXCLUSIVE, PATIENCE));
			LockSupport.parkNanos(Duration.ofMillis(random.nextInt(4)).toNanos());
		}, 20);
		done.set(true);
		reaper.get(30, TimeUnit.SECONDS);
		assertThat(this.grants).hasValue(8 * 20);
	}

	private LockHandle acquire(Random random, LockMode mode, Duration wait) {
		LockRequest request = LockRequest.of(KEY).withMode(mode).withWait(wait);
		return this.clients.get(random.nextInt(this.clients.size())).locks().acquire(request);
	}

	private void use(LockHandle handle) {
		boolean reading = handle.mode() == LockMode.READ;
		this.grants.incrementAndGet();
		AtomicInteger mine = reading ? this.readers : this.writers;
		int inside = mine.incrementAndGet();
		if (this.writers.get() > (reading ? 0 : 1) || (!reading && (inside > 1 || this.readers.get() > 0))) {
			this.overlaps.incrementAndGet();
		}
		if (!reading && this.lastToken.getAndSet(handle.fencingToken()) >= handle.fencingToken()) {
			this.overlaps.incrementAndGet();
		}
		mine.decrementAndGet();
		handle.release();
	}

	private void inParallel(Use use, int times) throws Exception {
		List<Future<?>> futures = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			Random random = new Random(i);
			futures.add(this.threads.submit(() -> {
				for (int n = 0; n < times; n++) {
					use.once(random);
				}
				return null;
			}));
		}
		for (Future<?> future : futures) {
			future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
		}
	}

	private interface Use {

		void once(Random random);

	}

}
