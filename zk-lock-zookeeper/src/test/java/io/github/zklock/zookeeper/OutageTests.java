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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.Waited;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * The time to wait is a bound also when ZooKeeper cannot be reached, whatever way it
 * cannot.
 */
@Tag("server")
class OutageTests {

	private static final Duration WAIT = Duration.ofMillis(500);

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@ParameterizedTest
	@EnumSource(Outage.class)
	void waitIsBoundedInAnOutage(Outage outage) throws Exception {
		try (FaultScenario scenario = ours()) {
			outage.begin(scenario.network());
			// Twice: before and after the client has noticed.
			for (int i = 0; i < 2; i++) {
				Waited.atLeast(WAIT,
						() -> assertThatExceptionOfType(LockUnavailableException.class)
							.isThrownBy(() -> scenario.victim().locks().acquire(scenario.request(WAIT)))
							.withMessageContaining("not available after"));
			}
			scenario.network().heal();
			scenario.assertNothingLeft();
		}
	}

	@Test
	void waitIsBoundedWhenTheOutageBeginsInTheMiddle() throws Exception {
		// Long enough for the middle not to be missed.
		Duration wait = WAIT.multipliedBy(4);
		try (FaultScenario scenario = ours()) {
			LockHandle holder = scenario.rival().locks().acquire(scenario.request(PATIENCE));
			Waited.atLeast(wait, () -> {
				CompletableFuture<LockHandle> waiting = CompletableFuture
					.supplyAsync(() -> scenario.victim().locks().acquire(scenario.request(wait)));
				Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> scenario.left().size() == 2);
				scenario.network().blackhole();
				assertThat(failureOf(waiting)).isInstanceOfAny(LockUnavailableException.class,
						LockNotAcquiredException.class);
			});
			scenario.network().heal();
			Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> scenario.left().size() == 1);
			holder.release();
			scenario.assertNothingLeft();
		}
	}

	@ParameterizedTest
	@EnumSource(Outage.class)
	void oneTryIsBoundedByItsOwnTimeout(Outage outage) throws Exception {
		try (FaultScenario scenario = ours()) {
			outage.begin(scenario.network());
			Waited.notForever(() -> assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> scenario.victim().locks().acquire(scenario.request(Duration.ZERO))));
		}
	}

	// The answer false would mean that another client holds the lock.
	@Test
	void viewOfAKeyThrowsInsteadOfFalse() throws Exception {
		try (FaultScenario scenario = ours()) {
			Lock view = new LockTemplate(scenario.victim().locks()).asLock(scenario.request(WAIT).key());
			scenario.network().blackhole();
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(view::tryLock);
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> view.tryLock(WAIT.toMillis(), TimeUnit.MILLISECONDS));
		}
	}

	@Test
	void asynchronousWaitIsBoundedToo() throws Exception {
		try (FaultScenario scenario = ours()) {
			scenario.network().blackhole();
			Waited.atLeast(WAIT,
					() -> assertThat(failureOf(scenario.victim().locks().acquireAsync(scenario.request(WAIT))))
						.isInstanceOf(LockUnavailableException.class));
		}
	}

	@Test
	void clientThatNeverConnectedIsBoundedAndWorksLater() throws Exception {
		FaultProxy network = new FaultProxy(server);
		network.refuse();
		try (LockClient<LockProvider> late = LockClient.start(network.connectString(), FaultScenario.SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			Waited.atLeast(WAIT,
					() -> assertThatExceptionOfType(LockException.class)
						.isThrownBy(() -> late.locks().acquire(LockRequest.of("late").withWait(WAIT)))
						.isInstanceOf(LockUnavailableException.class));
			CompletableFuture<LockHandle> waiting = late.locks()
				.acquireAsync(LockRequest.of("late").withWait(LockRequest.FOREVER));
			network.heal();
			waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).release();
		}
		network.close();
	}

	@Test
	void releaseInAnOutageReturnsSoonAndIsDoneLater() throws Exception {
		try (FaultScenario scenario = ours()) {
			LockHandle handle = scenario.victim().locks().acquire(scenario.request(PATIENCE));
			scenario.network().blackhole();
			Waited.notForever(handle::release);
			scenario.network().heal();
			scenario.rival().locks().acquire(scenario.request(FaultScenario.PATIENCE)).release();
			scenario.assertNothingLeft();
		}
	}

	private static Throwable failureOf(CompletableFuture<LockHandle> waiting) {
		Throwable failure = catchThrowable(() -> waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
		assertThat(failure).isInstanceOf(ExecutionException.class);
		return failure.getCause();
	}

	private static FaultScenario ours() {
		return new FaultScenario(server, (curator) -> ZooKeeperLockProvider.builder(curator).build());
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
