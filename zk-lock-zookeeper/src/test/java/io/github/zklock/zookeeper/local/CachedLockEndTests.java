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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.EngineParts;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.session.LockNode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The ends of a lock that a process keeps: of its session, of its connection, of its time
 * and of the process.
 */
@Tag("server")
class CachedLockEndTests {

	// Less than a lock may be idle.
	private static final Duration WAIT = Duration.ofSeconds(30);

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(6);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final FaultScenario scenario = FaultScenario.ours(server, SESSION_TIMEOUT);

	@AfterEach
	void leaveNothing() {
		this.scenario.rival().locks().acquire(this.scenario.request(WAIT)).release();
		this.scenario.assertNothingLeft();
	}

	@Test
	void lockIsForgottenWithItsSession() {
		long token = keep(cached());
		long session = this.scenario.victim().sessionId();
		server.killSession(session);
		Awaitility.await().until(() -> kept().size() == 0);
		LockHandle next = locks().acquire(cached());
		assertThat(next.fencingToken()).isGreaterThan(token);
		assertThat(owners()).containsExactly(this.scenario.victim().sessionId()).doesNotContain(session);
		next.release();
	}

	@Test
	void lockIsForgottenByAClientThatGivesUpItsSession() {
		long token = keep(cached());
		this.scenario.giveUpSession();
		// The server keeps the old session, and the node in it until it is deleted.
		LockHandle next = locks().acquire(cached());
		assertThat(next.fencingToken()).isGreaterThan(token);
		assertThat(owners()).containsExactly(this.scenario.victim().sessionId());
		next.release();
	}

	@Test
	void lockIsNotGrantedWithoutAConnection() {
		LockHandle witness = locks().acquireAsync(LockRequest.of("witness").withWait(WAIT)).join();
		long token = keep(cached());
		this.scenario.network().refuse();
		Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> witness.state() == LockState.UNCERTAIN);
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> locks().acquire(cached().withWait(Duration.ZERO)));
		this.scenario.network().heal();
		LockHandle next = locks().acquire(cached().withWait(WAIT.multipliedBy(2)));
		assertThat(next.fencingToken()).isGreaterThan(token + LockNode.MAX_GRANTS / 2);
		next.release();
		witness.release();
	}

	@Test
	void lockThatIsKeptKeepsItsLease() {
		kept().limit(10, Duration.ofMinutes(1));
		keep(cached());
		long before = this.scenario.heartbeats();
		Awaitility.await().until(() -> this.scenario.heartbeats() >= before + 3);
		assertThat(this.scenario.left()).hasSize(1);
		long token = keep(cached());
		assertThat(keep(cached())).isEqualTo(token + 2);
	}

	@ParameterizedTest
	@EnumSource
	void nodeThatSomebodyDeletedIsNotKept(LockMode mode) throws Exception {
		LockRequest request = cached().withMode(mode);
		long token = keep(request);
		String node = this.scenario.directory() + "/" + this.scenario.left().get(0);
		this.scenario.rival().curator().delete().forPath(node);
		Awaitility.await().until(() -> kept().size() == 0);
		LockHandle next = locks().acquire(request);
		assertThat(next.fencingToken()).isGreaterThan(token + LockNode.MAX_GRANTS / 2);
		assertThat(owners()).hasSize(1);
		next.release();
	}

	@Test
	void lockIsGivenBackWhenItWasIdleForLong() {
		kept().limit(10, Duration.ofMillis(200));
		keep(cached());
		Awaitility.await().atMost(WAIT).untilAsserted(() -> assertThat(this.scenario.left()).isEmpty());
		assertThat(kept().size()).isZero();
	}

	@Test
	void eldestIdleLockMakesRoomForOthers() {
		kept().limit(2, Duration.ofMinutes(1));
		keep(cached());
		LockHandle inUse = locks().acquireAsync(cached()).join();
		List<String> keys = List.of("one", "two", "three");
		keys.forEach((key) -> keep(LockRequest.of(key).withWait(WAIT).withCache(true)));
		Awaitility.await()
			.atMost(WAIT)
			.untilAsserted(() -> assertThat(keys).filteredOn((key) -> !server.children("/locks/" + key).isEmpty())
				.containsExactly("three"));
		assertThat(inUse.isHeld()).isTrue();
		inUse.release();
		assertThat(this.scenario.left()).hasSize(1);
		this.scenario.rival().locks().acquire(LockRequest.of("three").withWait(WAIT)).release();
	}

	@Test
	void idleLocksMakeRoomForOthersThatComeAtTheSameTime() {
		kept().limit(2, Duration.ofMinutes(1));
		List<String> keys = IntStream.range(0, 10).mapToObj((number) -> "room-" + number).toList();
		List<LockHandle> handles = keys.stream()
			.map((key) -> locks().acquireAsync(LockRequest.of(key).withWait(WAIT).withCache(true)).join())
			.toList();
		handles.forEach(LockHandle::release);
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> keys.stream().filter((key) -> !server.children("/locks/" + key).isEmpty()).count() == 2);
		this.scenario.rival().locks().acquire(LockRequest.of(keys.get(9)).withWait(WAIT)).release();
		this.scenario.rival().locks().acquire(LockRequest.of(keys.get(8)).withWait(WAIT)).release();
	}

	@Test
	void locksAreGivenBackAtOnceWhenTheProcessEnds() {
		keep(cached());
		LockRequest other = LockRequest.of("in use").withWait(WAIT).withCache(true);
		keep(other);
		LockHandle inUse = locks().acquireAsync(other).join();
		CompletableFuture<Void> end = CompletableFuture
			.runAsync(() -> ((ZooKeeperLockProvider) locks()).shutdown(Duration.ofSeconds(30)));
		Awaitility.await().atMost(WAIT).untilAsserted(() -> assertThat(this.scenario.left()).isEmpty());
		assertThat(end).isNotDone();
		inUse.release();
		end.join();
		Awaitility.await().untilAsserted(() -> assertThat(server.children("/locks/in%20use")).isEmpty());
	}

	private List<Long> owners() {
		return this.scenario.left()
			.stream()
			.map((node) -> server.owner(this.scenario.directory() + "/" + node))
			.toList();
	}

	private long keep(LockRequest request) {
		locks().acquire(request).release();
		// Waits until it is known that nobody else wants the lock.
		LockHandle again = locks().acquire(request);
		again.release();
		return again.fencingToken();
	}

	private LockCache kept() {
		return EngineParts.of((ZooKeeperLockProvider) locks()).cache();
	}

	private LockRequest cached() {
		return this.scenario.request(WAIT).withCache(true);
	}

	private LockProvider locks() {
		return this.scenario.victim().locks();
	}

}
