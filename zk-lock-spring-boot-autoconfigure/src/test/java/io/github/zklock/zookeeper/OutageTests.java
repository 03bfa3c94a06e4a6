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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockProvider;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.ConcurrentTests;
import io.github.zklock.support.CuratorRecipeLockProvider;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * The time to wait is a bound also when ZooKeeper cannot be reached, whatever way it
 * cannot.
 */
class OutageTests {

	private static final Duration WAIT = Duration.ofMillis(500);

	private static final Duration SHORTEST = Duration.ofMillis(400);

	private static final Duration LONGEST = Duration.ofMillis(600);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@TestFactory
	Stream<DynamicTest> outage() {
		return new ConcurrentTests().add("wait is bounded", List.of(Outage.values()), this::waitIsBoundedInAnOutage)
			.add("one try is bounded by its own timeout", List.of(Outage.values()),
					this::oneTryIsBoundedByItsOwnTimeout)
			.add("recipe exceeds the wait", List.of(Outage.values()), this::recipeExceedsTheWait)
			.stream();
	}

	private void waitIsBoundedInAnOutage(Outage outage) {
		try (FaultScenario scenario = ours()) {
			outage.begin(scenario.network());
			// Twice: before and after the client has noticed.
			for (int i = 0; i < 2; i++) {
				long start = System.nanoTime();
				assertThatExceptionOfType(LockUnavailableException.class)
					.isThrownBy(() -> scenario.victim().locks().acquire(scenario.request(WAIT)))
					.withMessageContaining("not available after");
				assertThat(since(start)).isBetween(SHORTEST, LONGEST);
			}
			scenario.network().heal();
			scenario.assertNothingLeft();
		}
	}

	private void recipeExceedsTheWait(Outage outage) throws Exception {
		try (FaultScenario scenario = new FaultScenario(server, CuratorRecipeLockProvider::new)) {
			outage.begin(scenario.network());
			CompletableFuture<LockHandle> acquiring = CompletableFuture
				.supplyAsync(() -> scenario.victim().locks().acquire(scenario.request(WAIT)));
			Throwable late = catchThrowable(() -> acquiring.get(LONGEST.toMillis(), TimeUnit.MILLISECONDS));
			assertThat(late).isInstanceOf(TimeoutException.class);
			scenario.network().heal();
			Awaitility.await().until(acquiring::isDone);
		}
	}

	@Test
	void waitIsBoundedWhenTheOutageBeginsInTheMiddle() throws Exception {
		try (FaultScenario scenario = ours()) {
			LockHandle holder = scenario.rival().locks().acquire(scenario.request(Duration.ofSeconds(5)));
			long start = System.nanoTime();
			CompletableFuture<LockHandle> waiting = CompletableFuture
				.supplyAsync(() -> scenario.victim().locks().acquire(scenario.request(WAIT)));
			Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> scenario.left().size() == 2);
			scenario.network().blackhole();
			assertThat(catchThrowable(() -> waiting.get(5, TimeUnit.SECONDS))).isInstanceOf(ExecutionException.class)
				.cause()
				.isInstanceOfAny(LockUnavailableException.class, LockNotAcquiredException.class);
			assertThat(since(start)).isBetween(SHORTEST, LONGEST);
			scenario.network().heal();
			Awaitility.await().atMost(Duration.ofSeconds(25)).until(() -> scenario.left().size() == 1);
			holder.release();
			scenario.assertNothingLeft();
		}
	}

	private void oneTryIsBoundedByItsOwnTimeout(Outage outage) {
		try (FaultScenario scenario = ours()) {
			outage.begin(scenario.network());
			long start = System.nanoTime();
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> scenario.victim().locks().acquire(scenario.request(Duration.ZERO)));
			assertThat(since(start)).isLessThan(LONGEST);
		}
	}

	@Test
	void asynchronousWaitIsBoundedToo() throws Exception {
		try (FaultScenario scenario = ours()) {
			scenario.network().blackhole();
			long start = System.nanoTime();
			CompletableFuture<LockHandle> waiting = scenario.victim().locks().acquireAsync(scenario.request(WAIT));
			assertThat(catchThrowable(() -> waiting.get(5, TimeUnit.SECONDS)))
				.hasCauseInstanceOf(LockUnavailableException.class);
			assertThat(since(start)).isBetween(SHORTEST, LONGEST);
		}
	}

	@Test
	void clientThatNeverConnectedIsBoundedAndWorksLater() {
		FaultProxy network = new FaultProxy(server);
		network.refuse();
		try (LockClient<LockProvider> late = LockClient.start(network.connectString(), FaultScenario.SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			long start = System.nanoTime();
			assertThatExceptionOfType(LockException.class)
				.isThrownBy(() -> late.locks().acquire(LockRequest.of("late").withWait(WAIT)))
				.isInstanceOf(LockUnavailableException.class);
			assertThat(since(start)).isBetween(SHORTEST, LONGEST);
			CompletableFuture<LockHandle> waiting = late.locks()
				.acquireAsync(LockRequest.of("late").withWait(LockRequest.FOREVER));
			network.heal();
			Awaitility.await().until(waiting::isDone);
			waiting.join().release();
		}
		network.close();
	}

	@Test
	void releaseInAnOutageReturnsSoonAndIsDoneLater() {
		try (FaultScenario scenario = ours()) {
			LockHandle handle = scenario.victim().locks().acquire(scenario.request(Duration.ofSeconds(5)));
			scenario.network().blackhole();
			long start = System.nanoTime();
			handle.release();
			assertThat(since(start)).isLessThan(Duration.ofMillis(1500));
			scenario.network().heal();
			scenario.rival().locks().acquire(scenario.request(Duration.ofSeconds(10))).release();
			scenario.assertNothingLeft();
		}
	}

	private static FaultScenario ours() {
		return new FaultScenario(server, (curator) -> ZooKeeperLockProvider.builder(curator).build());
	}

	private static Duration since(long start) {
		return Duration.ofNanos(System.nanoTime() - start);
	}

	enum Outage {

		REFUSED, BLACKHOLE;

		void begin(FaultProxy network) {
			if (this == REFUSED) {
				network.refuse();
			}
			else {
				network.blackhole();
			}
		}

	}

}
