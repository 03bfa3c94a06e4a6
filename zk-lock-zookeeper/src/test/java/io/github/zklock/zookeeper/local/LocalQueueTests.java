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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.EngineClock;
import io.github.zklock.zookeeper.EngineParts;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.session.SessionTracker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Many requests of one process for one key, behind one node, beside another process.
 */
@Tag("server")
class LocalQueueTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	private static final int MANY = 40;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final List<Long> tokens = new CopyOnWriteArrayList<>();

	@AutoClose
	private final FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);

	@AfterEach
	void leaveNothing() {
		this.threads.shutdownNow();
		this.scenario.assertNothingLeft();
		Awaitility.await().untilAsserted(() -> assertThat(server.watched("/locks")).isEmpty());
	}

	// A node is handed on locally for a second only.
	private static FaultScenario whereTimeStandsStill() {
		return new FaultScenario(server, (curator) -> EngineClock
			.standStill(ZooKeeperLockProvider.builder(curator).serverTick(ZooKeeperServerFixture.TICK)));
	}

	@Test
	void manyWaitersTakeOnePlaceInZooKeeperAndTheirTurnsInTheirOrder() throws Exception {
		try (FaultScenario still = whereTimeStandsStill()) {
			List<Integer> order = new CopyOnWriteArrayList<>();
			var requests = still.network().requests().during(still.directory(), () -> {
				LockHandle first = still.victim().locks().acquire(still.request(WAIT));
				List<CompletableFuture<Void>> waiters = new ArrayList<>();
				for (int i = 0; i < MANY; i++) {
					int number = i;
					waiters.add(still.victim().locks().acquireAsync(still.request(WAIT)).thenCompose((handle) -> {
						order.add(number);
						this.tokens.add(handle.fencingToken());
						return handle.releaseAsync();
					}));
				}
				assertThat(still.left()).hasSize(1);
				first.release();
				return CompletableFuture.allOf(waiters.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
			});
			assertThat(order).hasSize(MANY).isSorted();
			assertThat(this.tokens).isSorted().doesNotHaveDuplicates();
			// One more listing looks for others, and its watch may have fired once.
			assertThat(requests).containsEntry(ZooKeeperOperation.CREATE, 1L)
				.containsEntry(ZooKeeperOperation.DELETE, 1L);
			assertThat(requests.get(ZooKeeperOperation.GET_CHILDREN)).isBetween(2L, 3L);
			assertThat(requests.values().stream().mapToLong(Long::longValue).sum()).isLessThanOrEqualTo(5);
			still.assertNothingLeft();
		}
	}

	// As when its time is over just while it enters the queue, on another thread.
	@Test
	void lockThatIsGrantedAfterTheVerdictIsReleased() {
		LockHandle held = this.scenario.rival().locks().acquire(this.scenario.request(WAIT));
		ZooKeeperLockProvider victim = (ZooKeeperLockProvider) locks();
		LockAttempt late = new LockAttempt(EngineParts.of(victim).tracker(), EngineParts.of(victim).tasks(),
				EngineParts.of(victim).paths(), this.scenario.request(WAIT), () -> new byte[0], WAIT);
		EngineParts.of(victim).queues().enter(late);
		Awaitility.await().until(() -> this.scenario.left().size() == 2);
		late.fail(late.failures()::noAnswer);
		held.release();
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> late.verdict().join().handleOrThrow());
	}

	@Test
	void readersOfOneProcessShareOneNode() {
		try (FaultScenario still = whereTimeStandsStill()) {
			LockRequest request = still.request(WAIT).withMode(LockMode.READ);
			List<LockHandle> readers = new ArrayList<>();
			for (int i = 0; i < MANY; i++) {
				readers.add(still.victim().locks().acquireAsync(request).join());
			}
			assertThat(still.left()).hasSize(1);
			assertThat(readers).allMatch(LockHandle::isHeld);
			CompletableFuture<LockHandle> writer = still.rival().locks().acquireAsync(still.request(WAIT));
			readers.subList(1, MANY).forEach(LockHandle::release);
			assertThat(writer).isNotDone();
			assertThat(readers.get(0).isHeld()).isTrue();
			readers.get(0).release();
			writer.join().release();
			still.assertNothingLeft();
		}
	}

	@Test
	void anotherProcessGetsItsTurnWhileManyWaitHere() throws Exception {
		LockHandle first = locks().acquire(this.scenario.request(WAIT));
		AtomicInteger before = new AtomicInteger();
		AtomicBoolean served = new AtomicBoolean();
		CountDownLatch all = new CountDownLatch(MANY);
		for (int i = 0; i < MANY; i++) {
			locks().acquireAsync(this.scenario.request(WAIT)).thenAccept((handle) -> {
				if (!served.get()) {
					before.incrementAndGet();
				}
				roundTrip();
				handle.releaseAsync().thenRun(all::countDown);
			});
		}
		CompletableFuture<LockHandle> other = this.scenario.rival().locks().acquireAsync(this.scenario.request(WAIT));
		Awaitility.await().until(() -> this.scenario.left().size() == 2);
		first.release();
		LockHandle handle = other.get(30, TimeUnit.SECONDS);
		served.set(true);
		handle.release();
		assertThat(before.get()).isLessThanOrEqualTo(9);
		assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void placeInZooKeeperStaysWhenTheFirstOfThoseWhoWaitGivesUp() {
		LockHandle other = this.scenario.rival().locks().acquire(this.scenario.request(WAIT));
		CompletableFuture<LockHandle> first = locks().acquireAsync(this.scenario.request(WAIT));
		CompletableFuture<LockHandle> second = locks().acquireAsync(this.scenario.request(WAIT));
		Awaitility.await().until(() -> !server.watched("/locks").isEmpty());
		List<String> places = this.scenario.left();
		first.cancel(false);
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> locks().acquire(this.scenario.request(Duration.ofMillis(20))));
		assertThat(this.scenario.left()).isEqualTo(places);
		other.release();
		second.join().release();
	}

	@Test
	void tryForAKeyThatIsTakenHereAsksNobody() throws Exception {
		LockHandle holder = locks().acquireAsync(this.scenario.request(WAIT)).join();
		assertThat(this.scenario.network()
			.requests()
			.during(this.scenario.directory(),
					() -> assertThatExceptionOfType(LockNotAcquiredException.class)
						.isThrownBy(() -> locks().acquire(this.scenario.request(Duration.ZERO)))
						.withMessageContaining("held by")))
			.isEmpty();
		holder.release();
	}

	@Test
	void nobodyGetsTheLockFromAHolderWithoutAConnection() {
		LockHandle holder = locks().acquireAsync(this.scenario.request(WAIT)).join();
		CompletableFuture<LockHandle> next = locks().acquireAsync(this.scenario.request(WAIT));
		this.scenario.network().refuse();
		Awaitility.await().until(() -> !holder.isHeld());
		holder.releaseAsync();
		Awaitility.await().during(Duration.ofMillis(500)).until(() -> !next.isDone());
		this.scenario.network().heal();
		next.join().release();
	}

	@Test
	void lateWakeUpOfAWaiterTakesNoPlaceBehindItsOwnProcess() throws Exception {
		SessionTracker tracker = EngineParts.of((ZooKeeperLockProvider) locks()).tracker();
		CountDownLatch late = new CountDownLatch(1);
		CountDownLatch awake = new CountDownLatch(1);
		this.scenario.network().refuse();
		Awaitility.await().until(() -> tracker.usable() == null);
		// For the thread of the connection, and the one of the periodic check.
		tracker.whenUsable(() -> awaitUninterruptibly(late));
		tracker.whenUsable(() -> awaitUninterruptibly(late));
		CompletableFuture<LockHandle> first = locks().acquireAsync(this.scenario.request(WAIT));
		tracker.whenUsable(awake::countDown);
		this.scenario.network().heal();
		Awaitility.await().until(() -> tracker.usable() != null);
		CompletableFuture<LockHandle> second = locks().acquireAsync(this.scenario.request(WAIT));
		LockHandle handle = first.get(30, TimeUnit.SECONDS);
		late.countDown();
		assertThat(awake.await(30, TimeUnit.SECONDS)).isTrue();
		roundTrip();
		assertThat(this.scenario.left()).hasSize(1);
		handle.release();
		second.get(30, TimeUnit.SECONDS).release();
	}

	@Test
	void thoseWhoWaitGoOnInTheNextSession() {
		LockHandle holder = locks().acquireAsync(this.scenario.request(WAIT)).join();
		CompletableFuture<LockHandle> one = locks().acquireAsync(this.scenario.request(WAIT));
		CompletableFuture<LockHandle> two = locks().acquireAsync(this.scenario.request(WAIT));
		server.killSession(this.scenario.victim().sessionId());
		Awaitility.await().until(() -> !holder.isHeld());
		LockHandle next = one.join();
		assertThat(next.fencingToken()).isGreaterThan(holder.fencingToken());
		assertThat(two).isNotDone();
		next.release();
		two.join().release();
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void roundTrip() {
		try {
			this.scenario.victim().curator().checkExists().forPath("/");
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private LockProvider locks() {
		return this.scenario.victim().locks();
	}

}
