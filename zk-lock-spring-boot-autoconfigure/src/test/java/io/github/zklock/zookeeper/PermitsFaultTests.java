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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockPermitsException;
import io.github.zklock.core.LockProvider;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.support.ConcurrentTests;
import io.github.zklock.support.CuratorSemaphoreLockProvider;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Faults while several hold a key: never more than it has permits, and no permit is lost.
 * What Curator's semaphore makes of the same faults is asserted beside it: it is why
 * permits are a matter of our queue.
 */
@Tag("server")
class PermitsFaultTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@TestFactory
	Stream<DynamicTest> lostMessages() {
		return new ConcurrentTests()
			.add("last permit is taken once and given back", List.of(LostMessages.values()),
					this::lastPermitIsTakenOnceAndGivenBack)
			.add("permit that becomes free is taken once",
					Stream.of(LostMessages.values()).filter(LostMessages::isWhileWaiting).toList(),
					this::permitThatBecomesFreeIsTakenOnce)
			.stream();
	}

	private void lastPermitIsTakenOnceAndGivenBack(LostMessages lost) {
		try (FaultScenario scenario = ours()) {
			LockHandle one = rival(scenario, Duration.ofSeconds(5));
			lost.plan(scenario.network());
			LockHandle two = scenario.victim().locks().acquire(request(scenario, Duration.ofSeconds(20)));
			assertFull(scenario, one, two);
			two.release();
			one.release();
			scenario.assertNothingLeft();
		}
	}

	private void permitThatBecomesFreeIsTakenOnce(LostMessages lost) throws Exception {
		try (FaultScenario scenario = ours()) {
			LockHandle one = rival(scenario, Duration.ofSeconds(5));
			LockHandle two = rival(scenario, Duration.ofSeconds(5));
			lost.plan(scenario.network());
			CompletableFuture<LockHandle> waiting = scenario.victim()
				.locks()
				.acquireAsync(request(scenario, Duration.ofSeconds(20)));
			Awaitility.await().until(() -> scenario.network().pending().isEmpty());
			one.release();
			LockHandle three = waiting.get(20, TimeUnit.SECONDS);
			assertFull(scenario, two, three);
			three.release();
			two.release();
			scenario.assertNothingLeft();
		}
	}

	@Test
	void semaphoreRecipeLosesAPermit() {
		try (FaultScenario scenario = semaphore()) {
			scenario.network().on(ZooKeeperOperation.CREATE, "leases").killBefore();
			scenario.network().on(ZooKeeperOperation.CREATE, "leases").killAfter();
			Throwable failure = catchThrowable(
					() -> scenario.victim().locks().acquire(request(scenario, Duration.ofSeconds(20))));
			assertThat(failure).isNotNull().isNotInstanceOf(LockNotAcquiredException.class);
			assertThat(server.children(scenario.directory() + "/leases")).hasSize(1);
			// One of two permits belongs to nobody, for as long as the session lives.
			rival(scenario, Duration.ofSeconds(5));
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> rival(scenario, Duration.ofSeconds(1)));
		}
	}

	@Test
	void permitIsNotGrantedOnTheNodeOfADeadSession() throws Exception {
		try (FaultScenario scenario = ours()) {
			assertThat(holdersAtTheSameTime(scenario, "")).isEqualTo(2);
		}
	}

	@Test
	void semaphoreRecipeGrantsAPermitTooMany() throws Exception {
		try (FaultScenario scenario = semaphore()) {
			assertThat(holdersAtTheSameTime(scenario, "/leases")).isEqualTo(3);
		}
	}

	@Test
	void permitOfAnExpiredSessionGoesToTheNext() throws Exception {
		try (FaultScenario scenario = ours()) {
			LockHandle expired = scenario.victim().locks().acquire(request(scenario, Duration.ofSeconds(5)));
			LockHandle kept = rival(scenario, Duration.ofSeconds(5));
			CompletableFuture<LockHandle> one = scenario.rival()
				.locks()
				.acquireAsync(request(scenario, Duration.ofSeconds(20)));
			Awaitility.await().until(() -> scenario.left().size() == 3);
			CompletableFuture<LockHandle> two = scenario.rival()
				.locks()
				.acquireAsync(request(scenario, Duration.ofSeconds(20)));
			Awaitility.await().until(() -> scenario.left().size() == 4);
			server.killSession(scenario.victim().sessionId());
			LockHandle next = one.get(10, TimeUnit.SECONDS);
			assertThat(two).isNotDone();
			Awaitility.await().until(() -> expired.state() == LockState.LOST);
			kept.release();
			two.get(10, TimeUnit.SECONDS).release();
			next.release();
			scenario.assertNothingLeft();
		}
	}

	@Test
	void mutexOnTheSamePathIsRefusedOrWaits() throws Exception {
		try (FaultScenario scenario = ours()) {
			InterProcessMutex mutex = new InterProcessMutex(scenario.rival().curator(), scenario.directory());
			mutex.acquire();
			assertThatExceptionOfType(LockPermitsException.class)
				.isThrownBy(() -> rival(scenario, Duration.ofSeconds(5)))
				.withMessageContaining("in use with 1 permit;");
			mutex.release();
			LockHandle one = rival(scenario, Duration.ofSeconds(5));
			LockHandle two = rival(scenario, Duration.ofSeconds(5));
			one.release();
			assertThat(mutex.acquire(150, TimeUnit.MILLISECONDS)).isFalse();
			two.release();
			assertThat(mutex.acquire(5, TimeUnit.SECONDS)).isTrue();
			mutex.release();
			scenario.assertNothingLeft();
		}
	}

	// Two hold the two permits and one waits; its session ends for the client only.
	private static int holdersAtTheSameTime(FaultScenario scenario, String queue) throws Exception {
		String directory = scenario.directory() + queue;
		LockHandle one = rival(scenario, Duration.ofSeconds(5));
		LockHandle two = rival(scenario, Duration.ofSeconds(5));
		long deadSession = scenario.victim().sessionId();
		CompletableFuture<LockHandle> waiting = scenario.victim()
			.locks()
			.acquireAsync(request(scenario, Duration.ofSeconds(15)));
		Awaitility.await().until(() -> server.children(directory).size() == 3);
		scenario.giveUpSession();
		one.release();
		LockHandle three = waiting.get(15, TimeUnit.SECONDS);
		server.killSession(deadSession);
		int holders = (two.isValid() ? 1 : 0) + (three.isValid() ? 1 : 0);
		try {
			rival(scenario, Duration.ofMillis(500));
			return holders + 1;
		}
		catch (LockNotAcquiredException ex) {
			return holders;
		}
	}

	private static void assertFull(FaultScenario scenario, LockHandle... holders) {
		assertThat(holders).allMatch(LockHandle::isValid);
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> rival(scenario, Duration.ZERO));
		Awaitility.await().untilAsserted(() -> assertThat(scenario.left()).hasSameSizeAs(holders));
	}

	// With an owner of its own, since an owner that holds the key would re-enter.
	private static LockHandle rival(FaultScenario scenario, Duration wait) {
		return scenario.rival().locks().acquire(request(scenario, wait).withOwner(new Object()));
	}

	private static LockRequest request(FaultScenario scenario, Duration wait) {
		return scenario.request(wait).withPermits(2);
	}

	private static FaultScenario ours() {
		return scenario((curator) -> ZooKeeperLockProvider.builder(curator).build());
	}

	private static FaultScenario semaphore() {
		return scenario(CuratorSemaphoreLockProvider::new);
	}

	private static FaultScenario scenario(Function<CuratorFramework, LockProvider> provider) {
		return new FaultScenario(server, provider);
	}

}
