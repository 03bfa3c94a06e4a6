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
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Methods that call themselves too often, and use locks where hardly anything is left of
 * the stack of their thread: what they get may be an error, but all locks work on.
 */
@Tag("server")
class StackExhaustionTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	private static final int CALLS = 150;

	private static final int KEYS = 4;

	private static final int DEEPEST = 3600;

	// So that all frames are of one size.
	private static final int WARM_UP = 200;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final Queue<CompletableFuture<?>> answers = new ConcurrentLinkedQueue<>();

	private LockClient<ZooKeeperLockProvider> client;

	private Random random;

	private int overflows;

	private int left;

	private LockHandle unreleased;

	private CompletableFuture<LockHandle> asked;

	@BeforeEach
	void connect() {
		this.client = LockClient.connect(server.connectString(), Duration.ofSeconds(20),
				(curator) -> ZooKeeperLockProvider.builder(curator).build());
	}

	@AfterEach
	void disconnect() {
		this.client.close();
	}

	@ParameterizedTest(name = "{0} kB")
	@CsvSource({ "192, 1", "1024, 2" })
	void locksWorkOnWhenCallersRunOutOfTheirStack(int stackKiloBytes, long seed) throws Exception {
		this.random = new Random(Long.getLong("seed", seed));
		AtomicReference<Throwable> end = new AtomicReference<>();
		Thread thread = new Thread(null, this::exhaust, "exhausted", stackKiloBytes * 1024L, false);
		thread.setUncaughtExceptionHandler((exhausted, ex) -> end.set(ex));
		thread.start();
		thread.join();
		assertThat(end.get()).isNull();
		assertThat(this.overflows).isPositive();
		for (CompletableFuture<?> answer : this.answers) {
			assertThat(answer.handle((result, failure) -> "answered")).succeedsWithin(WAIT);
		}
		Awaitility.await().atMost(WAIT).untilAsserted(() -> {
			for (int i = 0; i < KEYS; i++) {
				assertThat(server.children("/locks/" + i)).as("key " + i).isEmpty();
			}
			assertThat(this.client.locks().heldLocks()).isZero();
			assertThat(this.client.locks().pendingDeletes()).isZero();
		});
		for (int i = 0; i < KEYS; i++) {
			this.client.locks().acquire(LockRequest.of("" + i).withWait(WAIT)).release();
			this.client.locks()
				.acquireAsync(LockRequest.of("" + i).withWait(WAIT))
				.thenCompose(LockHandle::releaseAsync)
				.get(WAIT.toSeconds(), TimeUnit.SECONDS);
		}
	}

	private void exhaust() {
		for (int i = 0; i < WARM_UP; i++) {
			depth();
		}
		for (int i = 0; i < CALLS; i++) {
			LockRequest request = LockRequest.of("" + this.random.nextInt(KEYS))
				.withWait(WAIT)
				.withCache(this.random.nextInt(4) == 0);
			Runnable call = call(request);
			// From plenty to nothing.
			int rest = DEEPEST * (CALLS - i) / CALLS + this.random.nextInt(8);
			try {
				descend(depth() - rest, call);
			}
			catch (StackOverflowError ex) {
				// The compiler has come between.
				releaseAgain();
				call.run();
			}
			releaseAgain();
		}
	}

	// There is room again. To release what is released has no effect.
	private void releaseAgain() {
		if (this.unreleased != null) {
			this.unreleased.release();
			this.unreleased = null;
		}
		if (this.asked != null) {
			this.answers.add(this.asked.thenCompose(LockHandle::releaseAsync));
			this.asked = null;
		}
	}

	private Runnable call(LockRequest request) {
		ZooKeeperLockProvider locks = this.client.locks();
		return switch (this.random.nextInt(16)) {
			case 0, 1, 2, 3, 4, 5, 6 -> () -> {
				this.asked = locks.acquireAsync(request);
				this.asked.thenCompose(LockHandle::releaseAsync);
			};
			case 7 -> {
				LockHandle held = locks.acquire(request);
				this.unreleased = held;
				yield held::release;
			}
			case 8 -> {
				LockHandle held = locks.acquire(request);
				this.unreleased = held;
				yield () -> this.answers.add(held.releaseAsync());
			}
			default -> () -> {
				this.unreleased = locks.acquire(request);
				assertThat(this.unreleased.isHeld()).isTrue();
				this.unreleased.close();
			};
		};
	}

	private int depth() {
		try {
			descend(Integer.MAX_VALUE, () -> {
			});
		}
		catch (StackOverflowError ex) {
			return Integer.MAX_VALUE - this.left;
		}
		throw new IllegalStateException("The stack has no end");
	}

	private void descend(int depth, Runnable call) {
		this.left = depth;
		if (depth > 0) {
			descend(depth - 1, call);
			return;
		}
		try {
			call.run();
		}
		catch (StackOverflowError ex) {
			this.overflows++;
		}
	}

}
