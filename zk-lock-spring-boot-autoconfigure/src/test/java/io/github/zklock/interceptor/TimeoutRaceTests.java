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
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.interceptor.RaceBeans.BalancedWait;
import io.github.zklock.interceptor.RaceBeans.Racer;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls whose time to wait ends at about the moment of their grant: each is either
 * granted or not, the method runs if it is, never two at once, and nothing is left.
 */
@Tag("server")
class TimeoutRaceTests {

	// The long form has 10,000 of them on each way.
	private static final int CALLS = Integer.getInteger("zk-lock.test.race-calls", 3400);

	private static final int MINUTES = 8 + CALLS / 5000;

	private static final int AT_ONCE = 8;

	// The pools of the JVM, of the tests and of the server.
	private static final Pattern OTHERS = Pattern
		.compile("^(ForkJoinPool|CompletableFutureDelay|parallel-|awaitility|junit-|NIOWorkerThread)");

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final Set<Thread> threadsBefore = Thread.getAllStackTraces().keySet();

	private final List<LockClient<ZooKeeperLockProvider>> clients = new ArrayList<>();

	private final List<Racer> proxies = new ArrayList<>();

	private final Racer racer = new Racer();

	private final AtomicInteger granted = new AtomicInteger();

	private final AtomicInteger refused = new AtomicInteger();

	@BeforeEach
	void connect() {
		for (int i = 0; i < 2; i++) {
			LockClient<ZooKeeperLockProvider> client = LockClient.connect(server.connectString(),
					Duration.ofSeconds(20), (curator) -> ZooKeeperLockProvider.builder(curator).build());
			this.clients.add(client);
			this.proxies.add(new GuardedProxy().of(this.racer, new BalancedWait(client.locks())));
		}
	}

	@AfterEach
	void countsAddUpAndNothingIsLeft() {
		assertThat(this.granted.get() + this.refused.get()).isEqualTo(CALLS);
		assertThat(this.racer.bodies).hasValue(this.granted.get());
		assertThat(this.racer.overlaps).hasValue(0);
		assertThat(this.granted).hasPositiveValue();
		assertThat(this.refused).hasPositiveValue();
		Awaitility.await().untilAsserted(() -> {
			assertThat(server.children("/locks/race")).isEmpty();
			assertThat(server.watched("/locks")).isEmpty();
			for (LockClient<ZooKeeperLockProvider> client : this.clients) {
				assertThat(client.locks().heldLocks()).isZero();
				assertThat(client.locks().pendingDeletes()).isZero();
			}
		});
		this.clients.forEach(LockClient::close);
		Awaitility.await().untilAsserted(() -> assertThat(threadsOfLocks()).isEmpty());
	}

	@Test
	void callsThatBlock() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
		for (int i = 0; i < CALLS; i++) {
			Racer proxy = proxy(i);
			threads.execute(() -> {
				try {
					count(proxy.sync(), null);
				}
				catch (RuntimeException ex) {
					count(null, ex);
				}
			});
		}
		threads.shutdown();
		assertThat(threads.awaitTermination(MINUTES, TimeUnit.MINUTES)).isTrue();
	}

	@Test
	void callsThatReturnAFuture() throws Exception {
		Semaphore free = new Semaphore(AT_ONCE);
		for (int i = 0; i < CALLS; i++) {
			assertThat(free.tryAcquire(1, TimeUnit.MINUTES)).isTrue();
			proxy(i).future().whenComplete((value, failure) -> {
				count(value, failure);
				free.release();
			});
		}
		assertThat(free.tryAcquire(AT_ONCE, 1, TimeUnit.MINUTES)).isTrue();
	}

	@Test
	void callsThatReturnAMono() {
		Flux.range(0, CALLS)
			.flatMap((i) -> proxy(i).mono()
				.doOnNext((value) -> count(value, null))
				.onErrorResume((failure) -> Mono.fromRunnable(() -> count(null, failure))), AT_ONCE)
			.blockLast(Duration.ofMinutes(MINUTES));
	}

	private Racer proxy(int call) {
		return this.proxies.get(call % this.proxies.size());
	}

	private void count(String value, Throwable failure) {
		Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : failure;
		// Too short a time for an answer is the other way not to get the lock.
		if (cause instanceof LockNotAcquiredException || cause instanceof LockUnavailableException) {
			this.refused.incrementAndGet();
		}
		else if ("done".equals(value)) {
			this.granted.incrementAndGet();
		}
	}

	private Set<String> threadsOfLocks() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> !this.threadsBefore.contains(thread))
			.map(Thread::getName)
			.filter((name) -> !OTHERS.matcher(name).find())
			.collect(Collectors.toSet());
	}

}
