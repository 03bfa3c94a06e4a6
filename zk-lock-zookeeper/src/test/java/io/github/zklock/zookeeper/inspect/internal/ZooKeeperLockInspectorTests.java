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

package io.github.zklock.zookeeper.inspect.internal;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockKeyException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.spi.UnusedRelease;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ManyKeys;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.inspect.ZooKeeperInspectionException;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockInspector;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockInspector.Revocation;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockInspector.Revocation.Outcome;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockQueue;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockQueue.Contender;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockSnapshot;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.CreateMode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What is seen of the queues in ZooKeeper, and of this process.
 */
@Tag("server")
class ZooKeeperLockInspectorTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	static LockClient<ZooKeeperLockProvider> one;

	static LockClient<ZooKeeperLockProvider> other;

	@BeforeAll
	static void connect() {
		one = client("one");
		other = client("other");
	}

	private static LockClient<ZooKeeperLockProvider> client(String application) {
		return LockClient.connect(server.connectString(), Duration.ofSeconds(60),
				(curator) -> ZooKeeperLockProvider.builder(curator)
					.application(application)
					.tryTimeout(PATIENCE)
					.build());
	}

	@AfterAll
	static void close() {
		one.close();
		other.close();
	}

	@Test
	void holderComesFirstAndThoseWhoWaitFollow() {
		LockHandle held = one.locks().acquire(LockRequest.of("orders/42:a").withName("orders"));
		CompletableFuture<LockHandle> waiting = wait(other, LockRequest.of("orders/42:a").withMode(LockMode.WRITE));
		ZooKeeperLockQueue queue = await("orders/42:a", 2);
		assertThat(queue.path()).isEqualTo("/locks/orders%2F42:a");
		Contender first = queue.contenders().get(0);
		assertThat(first.holds()).isTrue();
		assertThat(first.mode()).isEqualTo(LockMode.EXCLUSIVE);
		assertThat(first.fencingToken()).isEqualTo(held.fencingToken());
		assertThat(first.session()).isEqualTo(one.locks().status().session().mark());
		assertThat(first.foreign()).isFalse();
		assertThat(first.owner().application()).isEqualTo("one");
		assertThat(first.owner().name()).isEqualTo("orders");
		assertThat(first.owner().pid()).isEqualTo(ProcessHandle.current().pid());
		assertThat(first.owner().queuedFor()).isNotNull();
		assertThat(queue.contenders().get(1)).satisfies((second) -> {
			assertThat(second.holds()).isFalse();
			assertThat(second.mode()).isEqualTo(LockMode.WRITE);
			assertThat(second.owner().application()).isEqualTo("other");
		});
		held.release();
		LockHandle next = waiting.join();
		assertThat(one.locks().inspector().queue("orders/42:a", PATIENCE).contenders()).singleElement()
			.matches(Contender::holds)
			.extracting((contender) -> contender.owner().application())
			.isEqualTo("other");
		next.release();
	}

	@Test
	void readersHoldTogetherUntilAWriterWaits() {
		LockRequest read = LockRequest.of("shared").withMode(LockMode.READ);
		LockHandle first = one.locks().acquire(read);
		LockHandle second = other.locks().acquire(read);
		CompletableFuture<LockHandle> writer = wait(one, LockRequest.of("shared").withMode(LockMode.WRITE));
		await("shared", 3);
		LockClient<ZooKeeperLockProvider> third = client("third");
		CompletableFuture<LockHandle> late = wait(third, read);
		ZooKeeperLockQueue queue = await("shared", 4);
		assertThat(queue.contenders()).extracting(Contender::holds).containsExactly(true, true, false, false);
		assertThat(queue.contenders()).extracting(Contender::mode)
			.containsExactly(LockMode.READ, LockMode.READ, LockMode.WRITE, LockMode.READ);
		first.release();
		second.release();
		writer.join().release();
		late.join().release();
		third.close();
	}

	@Test
	void asManyHoldAsThereArePermits() {
		LockRequest request = LockRequest.of("permits").withPermits(2);
		List<LockHandle> held = List.of(one.locks().acquire(request), other.locks().acquire(request));
		CompletableFuture<LockHandle> third = wait(other, request);
		assertThat(await("permits", 3).contenders()).extracting(Contender::holds).containsExactly(true, true, false);
		held.forEach(LockHandle::release);
		third.join().release();
	}

	@Test
	void nodesOfCuratorsRecipesAreSeen() throws Exception {
		InterProcessMutex mutex = new InterProcessMutex(one.curator(), one.locks().pathOf("foreign"));
		mutex.acquire();
		CompletableFuture<LockHandle> waiting = wait(other, LockRequest.of("foreign"));
		ZooKeeperLockQueue queue = await("foreign", 2);
		assertThat(queue.contenders()).extracting(Contender::foreign).containsExactly(true, false);
		assertThat(queue.contenders()).extracting(Contender::holds).containsExactly(true, false);
		assertThat(queue.contenders().get(0).owner().application()).isEqualTo("another client");
		mutex.release();
		waiting.join().release();
		InterProcessReadWriteLock readers = new InterProcessReadWriteLock(one.curator(),
				one.locks().pathOf("foreign-readers"));
		readers.readLock().acquire();
		assertThat(await("foreign-readers", 1).contenders()).singleElement()
			.matches((contender) -> contender.mode() == LockMode.READ && contender.holds());
		readers.readLock().release();
	}

	@Test
	void keyThatIsKeptAfterItsReleaseIsSeen() {
		LockHandle handle = one.locks().acquire(LockRequest.of("kept").withLockAtLeastFor(Duration.ofHours(1)));
		// A stamp that was confirmed late is replaced, and the old one is seen for a
		// moment.
		ZooKeeperLockQueue queue = Awaitility.await()
			.until(() -> one.locks().inspector().queue("kept", PATIENCE), (seen) -> seen.kept().size() == 1);
		assertThat(queue.contenders()).singleElement().matches(Contender::holds);
		assertThat(queue.kept()).singleElement().satisfies((kept) -> {
			assertThat(kept.lockAtLeastFor()).isEqualTo(Duration.ofHours(1));
			assertThat(kept.readersMayEnter()).isFalse();
		});
		UnusedRelease.of(handle).join();
	}

	@Test
	void cachedLockIsMarked() {
		one.locks().acquire(LockRequest.of("cached").withCache(true)).release();
		assertThat(await("cached", 1).contenders().get(0)).matches(Contender::cached).matches(Contender::holds);
	}

	@Test
	void snapshotTellsWhatThisProcessHoldsAndWaitsFor() {
		LockHandle held = one.locks().acquire(LockRequest.of("snapshot").withName("jobs"));
		long token = held.fencingToken();
		CompletableFuture<LockHandle> waiting = wait(one,
				LockRequest.of("snapshot").withMode(LockMode.WRITE).withWait(Duration.ofMinutes(5)).withName("more"));
		Awaitility.await().untilAsserted(() -> {
			ZooKeeperLockSnapshot snapshot = one.locks().snapshot();
			assertThat(snapshot.held()).filteredOn((lock) -> lock.key().equals("snapshot"))
				.singleElement()
				.satisfies((lock) -> {
					assertThat(lock.mode()).isEqualTo(LockMode.EXCLUSIVE);
					assertThat(lock.name()).isEqualTo("jobs");
					assertThat(lock.state()).isEqualTo(LockState.HELD);
					assertThat(lock.fencingToken()).isEqualTo(token);
				});
			assertThat(snapshot.waiting()).filteredOn((request) -> request.key().equals("snapshot"))
				.singleElement()
				.satisfies((request) -> {
					assertThat(request.mode()).isEqualTo(LockMode.WRITE);
					assertThat(request.name()).isEqualTo("more");
					assertThat(request.waitTime()).isEqualTo(Duration.ofMinutes(5));
				});
		});
		held.release();
		waiting.join().release();
		assertThat(one.locks().snapshot().held()).noneMatch((lock) -> lock.key().equals("snapshot"));
		assertThat(one.locks().snapshot().waiting()).noneMatch((request) -> request.key().equals("snapshot"));
	}

	@Test
	void keysAreListedByPatternInPages() throws Exception {
		for (int i = 0; i < 5; i++) {
			one.locks().acquire(LockRequest.of("list/" + i)).release();
		}
		LockHandle cut = one.locks().acquire(LockRequest.of("list/" + "x".repeat(500)));
		LockHandle tilde = one.locks().acquire(LockRequest.of("list/~"));
		one.curator().create().orSetData().withMode(CreateMode.PERSISTENT).forPath("/locks/bad%z");
		ZooKeeperLockQueue.Page page = one.locks().inspector().queues("list/*", 1, 3, PATIENCE);
		assertThat(page.matching()).isEqualTo(6);
		assertThat(page.keys()).isGreaterThanOrEqualTo(8);
		assertThat(page.queues()).extracting(ZooKeeperLockQueue::key).containsExactly("list/3", "list/4", "list/~");
		assertThat(page.queues().get(2).contenders()).singleElement().matches(Contender::holds);
		assertThat(one.locks().inspector().queues("list%2Fx*", 0, 10, PATIENCE).queues()).singleElement()
			.satisfies((queue) -> assertThat(queue.contenders()).hasSize(1));
		assertThat(one.locks().inspector().queues("list/*", 9, 3, PATIENCE).queues()).isEmpty();
		assertThat(one.locks().inspector().queues("*", 0, 100, PATIENCE).queues()).extracting(ZooKeeperLockQueue::key)
			.contains("bad%z")
			.doesNotContain("~sessions");
		cut.release();
		tilde.release();
	}

	@Test
	void pageThatCannotBeIsRefused() {
		ZooKeeperLockInspector inspector = one.locks().inspector();
		assertThatIllegalArgumentException().isThrownBy(() -> inspector.queues("*", -1, 10, PATIENCE))
			.withMessageContaining("page is -1");
		assertThatIllegalArgumentException().isThrownBy(() -> inspector.queues("*", 0, 101, PATIENCE))
			.withMessageContaining("size is 101: give 1 to 100");
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> inspector.queue(" ", PATIENCE));
	}

	@ParameterizedTest
	@CsvSource({ "*,anything,true", "a*,abc,true", "a*c,abbc,true", "a*c,abcd,false", "abc,abc,true", "abc,abcd,false",
			"*b*d*,abcde,true", "*b*d*,adcbe,false", "**,'',true", "a.c,abc,false", "*ab,aab,true", "a*,b,false" })
	void starStandsForAnyText(String pattern, String text, boolean matches) {
		assertThat(QueueInspector.matches(pattern, text)).isEqualTo(matches);
	}

	@Test
	void revokedLockGoesToTheNextAndItsHolderIsToldAtTheRelease() {
		LockHandle held = one.locks().acquire(LockRequest.of("revoke"));
		CompletableFuture<LockHandle> waiting = wait(other, LockRequest.of("revoke"));
		ZooKeeperLockQueue queue = await("revoke", 2);
		ZooKeeperLockInspector inspector = other.locks().inspector();
		long waits = queue.contenders().get(1).fencingToken();
		assertThat(inspector.revoke("revoke", waits, PATIENCE).outcome()).isEqualTo(Outcome.WAITING);
		assertThat(inspector.revoke("revoke", held.fencingToken() + 1, PATIENCE).outcome())
			.isEqualTo(Outcome.NOT_FOUND);
		assertThat(inspector.revoke("revoke", 4711, PATIENCE).outcome()).isEqualTo(Outcome.NOT_FOUND);
		assertThat(inspector.revoke("another", held.fencingToken(), PATIENCE).outcome()).isEqualTo(Outcome.NOT_FOUND);
		assertThat(waiting).isNotDone();
		Revocation revocation = inspector.revoke("revoke", held.fencingToken(), PATIENCE);
		assertThat(revocation.outcome()).isEqualTo(Outcome.REVOKED);
		assertThat(revocation.contender()).isNotNull();
		LockHandle next = waiting.join();
		held.release();
		Awaitility.await().until(held::state, LockState.LOST::equals);
		assertThat(held.loss()).hasToString("its node was deleted by another client");
		next.release();
	}

	@Test
	void clientWithoutRoomForAllNamesIsNotAsked() {
		int room = 1048575 / 204;
		try (LockClient<ZooKeeperLockProvider> client = LockClient.connect(server.connectString(),
				Duration.ofSeconds(60), (curator) -> ZooKeeperLockProvider.builder(curator).root("/many").build())) {
			long session = client.sessionId();
			ManyKeys.create(server.connectString(), "/many", room + 1);
			assertThatExceptionOfType(ZooKeeperInspectionException.class)
				.isThrownBy(() -> client.locks().inspector().queues("*", 0, 10, PATIENCE))
				.withMessageContaining("there are 5141 nodes at /many")
				.withMessageContaining("jute.maxbuffer");
			assertThat(client.locks().inspector().queue("key-1", PATIENCE).contenders()).isEmpty();
			assertThat(client.sessionId()).isEqualTo(session);
		}
	}

	@Test
	void clientWithoutRoomForTheQueueOfAKeyIsNotAsked() {
		int room = 1048575 / 128;
		try (LockClient<ZooKeeperLockProvider> client = LockClient.connect(server.connectString(),
				Duration.ofSeconds(60),
				(curator) -> ZooKeeperLockProvider.builder(curator).root("/crowded").tryTimeout(PATIENCE).build())) {
			Queue<ConnectionState> states = new ConcurrentLinkedQueue<>();
			client.locks().acquire(LockRequest.of("other")).release();
			client.curator().getConnectionStateListenable().addListener((curator, state) -> states.add(state));
			ManyKeys.create(server.connectString(), "/crowded/key", room + 1,
					(i) -> "_c_01234567-89ab-cdef-0123-456789abcdef-" + "x".repeat(88) + i);
			assertThatExceptionOfType(ZooKeeperInspectionException.class)
				.isThrownBy(() -> client.locks().inspector().queue("key", PATIENCE))
				.withMessageContaining("there are 8192 nodes at /crowded/key")
				.withMessageContaining("jute.maxbuffer");
			assertThatExceptionOfType(ZooKeeperInspectionException.class)
				.isThrownBy(() -> client.locks().inspector().queues("*", 0, 10, PATIENCE))
				.withMessageContaining("there are 8192 nodes at /crowded/key");
			assertThat(client.locks().inspector().queue("other", PATIENCE).contenders()).isEmpty();
			// The first connection may still be reported.
			assertThat(states).as("changes of the connection").doesNotContain(ConnectionState.SUSPENDED);
		}
	}

	@Test
	void searchForAPatternEndsWhenItsTimeIsOver() {
		List<String> names = List.of("a", "b");
		try (QueueInspection late = ((QueueInspector) one.locks().inspector()).begin(Duration.ZERO)) {
			assertThatExceptionOfType(ZooKeeperInspectionException.class)
				.isThrownBy(() -> QueueInspector.matching("a*", names, late.reads))
				.withMessageContaining("pattern");
		}
		try (QueueInspection inTime = ((QueueInspector) one.locks().inspector()).begin(PATIENCE)) {
			assertThat(QueueInspector.matching("a*", names, inTime.reads)).hasSize(1);
		}
	}

	@Test
	void withoutAConnectionNothingIsAsked() {
		LockClient<ZooKeeperLockProvider> lonely = client("lonely");
		lonely.curator().close();
		assertThatExceptionOfType(ZooKeeperInspectionException.class)
			.isThrownBy(() -> lonely.locks().inspector().queue("a", PATIENCE))
			.withMessage("ZooKeeper cannot be reached");
		lonely.close();
	}

	private static CompletableFuture<LockHandle> wait(LockClient<ZooKeeperLockProvider> client, LockRequest request) {
		return client.locks().acquireAsync(request.withWait(Duration.ofMinutes(5)));
	}

	private static ZooKeeperLockQueue await(String key, int contenders) {
		return Awaitility.await()
			.until(() -> one.locks().inspector().queue(key, PATIENCE),
					(queue) -> queue.contenders().size() == contenders);
	}

}
