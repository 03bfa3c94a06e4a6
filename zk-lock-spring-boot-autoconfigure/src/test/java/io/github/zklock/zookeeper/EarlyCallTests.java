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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who is woken up before its turn, and when.
 */
class EarlyCallTests {

	private static final long BRISK = TimeUnit.MICROSECONDS.toNanos(100) / 3;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final AtomicLong now = new AtomicLong(-BRISK);

	private final Waiters waiters = new Waiters();

	private final List<LockAttempt> attempts = new ArrayList<>();

	private final EarlyCall calls = new EarlyCall(this.waiters, 2, this.now::get);

	private LockClient<ZooKeeperLockProvider> client;

	private LockEngine engine;

	@BeforeEach
	void letFourWait() {
		this.client = LockClient.connect(server.connectString(), Duration.ofSeconds(10),
				(curator) -> ZooKeeperLockProvider.builder(curator).build());
		this.engine = field(this.client.locks(), "engine");
		for (int i = 0; i < 4; i++) {
			this.attempts.add(attempt());
		}
		this.attempts.forEach(this.waiters::add);
	}

	@AfterEach
	void disconnect() {
		this.client.close();
	}

	@Test
	void nobodyIsCalledAtTheFirstGrant() {
		assertThat(this.calls.next()).isNull();
	}

	@Test
	void thirdOfThoseWhoWaitIsCalledWhenTheLockGoesOnQuickly() {
		goesOnAfter(BRISK - 1);
		assertThat(this.calls.next()).isSameAs(this.attempts.get(2));
	}

	@Test
	void lastOneIsCalledWhenFewerWait() {
		goesOnAfter(BRISK - 1);
		this.waiters.remove(this.waiters.first());
		this.waiters.remove(this.waiters.first());
		assertThat(this.calls.next()).isSameAs(this.attempts.get(3));
	}

	@Test
	void nobodyIsCalledWhenNobodyWaits() {
		goesOnAfter(BRISK - 1);
		this.attempts.forEach(this.waiters::remove);
		assertThat(this.calls.next()).isNull();
	}

	@Test
	void nobodyIsCalledOnASingleProcessor() {
		EarlyCall single = new EarlyCall(this.waiters, 1, this.now::get);
		single.next();
		this.now.addAndGet(BRISK - 1);
		assertThat(single.next()).isNull();
	}

	@Test
	void nobodyIsCalledWhileTheLockIsHeldForLongerThanAThreadWakesUp() {
		goesOnAfter(BRISK - 1);
		assertThat(this.calls.next()).isNotNull();
		goesOnAfter(BRISK);
		assertThat(this.calls.next()).isNull();
	}

	@Test
	void holdersThatFollowOneAnotherQuicklyCallThoseWhoWaitBeforeItIsTheirTurn() {
		LocalQueues queues = new LocalQueues(this.engine, new HeldLocks(), Fairness.BOUNDED);
		List<LockAttempt> all = Stream.generate(this::attempt).limit(2000).toList();
		List<CompletableFuture<?>> calls = all.stream().<CompletableFuture<?>>map(EarlyCallTests::call).toList();
		all.forEach(queues::enter);
		int early = 0;
		for (int i = 0; i < all.size(); i++) {
			// With its code still cold, a release may take longer than a thread wakes up.
			early += (calls.get(i).isDone() && !all.get(i).isDecided()) ? 1 : 0;
			release(all.get(Math.max(i - 2, 0)));
		}
		all.subList(all.size() - 2, all.size()).forEach(EarlyCallTests::release);
		assertThat(early).isPositive();
	}

	private LockAttempt attempt() {
		return new LockAttempt(this.engine, LockRequest.of("key"), () -> new byte[0], Duration.ofSeconds(1));
	}

	private static void release(LockAttempt attempt) {
		attempt.verdict().orTimeout(10, TimeUnit.SECONDS).join().handleOrThrow().release();
	}

	private static CompletableFuture<?> call(LockAttempt attempt) {
		return field(field(attempt, "verdict"), "near");
	}

	@SuppressWarnings("unchecked")
	private static <T> T field(Object target, String name) {
		return (T) ReflectionTestUtils.getField(target, name);
	}

	// The clock may have any value, and turn negative.
	private void goesOnAfter(long nanos) {
		this.calls.next();
		this.now.addAndGet(nanos);
	}

}
