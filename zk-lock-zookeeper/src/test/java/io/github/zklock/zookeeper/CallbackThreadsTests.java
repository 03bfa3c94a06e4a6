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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The number of threads for callbacks has a bound, which keeps no caller waiting for
 * ever.
 */
@Tag("server")
class CallbackThreadsTests {

	private static final Duration WAIT = Duration.ofSeconds(60);

	private static final int THREADS = 4;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private LockClient<ZooKeeperLockProvider> client;

	@BeforeEach
	void connect() {
		this.client = LockClient.connect(server.connectString(), Duration.ofSeconds(20),
				(curator) -> ZooKeeperLockProvider.builder(curator).callbackThreads(THREADS).build());
	}

	@AfterEach
	void disconnect() {
		this.client.close();
	}

	@Test
	void thousandsOfAsynchronousRequestsAreAllAnswered() throws Exception {
		AtomicInteger inside = new AtomicInteger();
		List<CompletableFuture<?>> done = new ArrayList<>();
		for (int i = 0; i < 10_000; i++) {
			done.add(acquire("key-" + i % 100).thenAccept((held) -> {
				inside.incrementAndGet();
				held.releaseAsync();
			}));
		}
		CompletableFuture.allOf(done.toArray(CompletableFuture<?>[]::new)).get(120, TimeUnit.SECONDS);
		assertThat(inside).hasValue(10_000);
	}

	@Test
	void callbacksThatWaitForALockGrantedToAnotherCallbackAllEnd() throws Exception {
		LockHandle shared = this.client.locks().acquire(request("shared"));
		// It comes first, but its thread may stand behind all of the others.
		CompletableFuture<?> first = acquire("shared").thenAccept(LockHandle::release);
		CountDownLatch full = new CountDownLatch(THREADS);
		List<CompletableFuture<?>> others = new ArrayList<>();
		for (int i = 0; i < 3 * THREADS; i++) {
			others.add(onCallbackThread("other-" + i, (held) -> {
				full.countDown();
				this.client.locks().acquire(request("shared")).release();
				held.release();
			}));
		}
		assertThat(full.await(60, TimeUnit.SECONDS)).isTrue();
		shared.release();
		first.get(60, TimeUnit.SECONDS);
		CompletableFuture.allOf(others.toArray(CompletableFuture<?>[]::new)).get(60, TimeUnit.SECONDS);
	}

	@Test
	void asynchronousRequestReentersItsLockWhileMoreBodiesThanThereAreThreadsWait() throws Exception {
		LockTemplate template = new LockTemplate(this.client.locks());
		CountDownLatch full = new CountDownLatch(THREADS);
		CountDownLatch end = new CountDownLatch(1);
		List<CompletableFuture<?>> others = new ArrayList<>();
		CompletableFuture<LockHandle> inside = new CompletableFuture<>();
		template.execute(request("held"), (outer) -> {
			for (int i = 0; i < 200; i++) {
				others.add(onCallbackThread("other-" + i, (other) -> {
					full.countDown();
					await(end);
					other.releaseAsync();
				}));
			}
			await(full);
			awaitGrants("/locks/other-199");
			others.add(template.executeAsync(request("held"), (inner) -> {
				inside.complete(inner);
				return inside;
			}));
			return assertThat(inside).succeedsWithin(WAIT);
		});
		end.countDown();
		CompletableFuture.allOf(others.toArray(CompletableFuture<?>[]::new)).get(120, TimeUnit.SECONDS);
	}

	@Test
	void lossOfALockIsToldWhileMoreBodiesThanThereAreThreadsWait() throws Exception {
		LockHandle held = this.client.locks().acquire(request("held"));
		CompletableFuture<LockHandle> told = new CompletableFuture<>();
		held.onLost(told::complete);
		CountDownLatch full = new CountDownLatch(THREADS);
		CountDownLatch end = new CountDownLatch(1);
		List<CompletableFuture<?>> others = new ArrayList<>();
		// One more thread a second or two would take minutes for them all.
		for (int i = 0; i < 200; i++) {
			others.add(onCallbackThread("other-" + i, (other) -> {
				full.countDown();
				await(end);
				other.releaseAsync();
			}));
		}
		assertThat(full.await(60, TimeUnit.SECONDS)).isTrue();
		this.client.giveUpSession();
		assertThat(told).succeedsWithin(WAIT).isEqualTo(held);
		end.countDown();
		// Those that had no lock yet fail with their session.
		for (CompletableFuture<?> other : others) {
			other.handle((done, failure) -> true).get(60, TimeUnit.SECONDS);
		}
	}

	// A body that is set after the grant would block this thread.
	private CompletableFuture<?> onCallbackThread(String key, Consumer<LockHandle> body) {
		Thread caller = Thread.currentThread();
		return acquire(key).thenCompose((held) -> {
			if (Thread.currentThread() == caller) {
				held.release();
				return onCallbackThread(key, body);
			}
			body.accept(held);
			return CompletableFuture.completedFuture(null);
		});
	}

	private void awaitGrants(String last) throws Exception {
		Awaitility.await().until(() -> !server.children(last).isEmpty());
		// The listing was sent with the creation, so it is answered before this.
		this.client.curator().checkExists().forPath("/");
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void boundOfZeroIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> ZooKeeperLockProvider.builder(this.client.curator()).callbackThreads(0))
			.withMessage("callbackThreads 0 is not greater than zero: give a number like 64");
	}

	private CompletableFuture<LockHandle> acquire(String key) {
		return this.client.locks().acquireAsync(request(key));
	}

	private static LockRequest request(String key) {
		return LockRequest.of(key).withWait(WAIT);
	}

}
