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
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockPermitsException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Ends of sessions while several hold a key: never more than it has permits, and no
 * permit is lost. Lost messages are a matter of the simulation.
 */
@Tag("server")
class PermitsFaultTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void permitIsNotGrantedOnTheNodeOfADeadSession() throws Exception {
		try (FaultScenario scenario = ours()) {
			assertThat(holdersAtTheSameTime(scenario)).isEqualTo(2);
		}
	}

	@Test
	void permitOfAnExpiredSessionGoesToTheNext() throws Exception {
		try (FaultScenario scenario = ours()) {
			LockHandle expired = scenario.victim().locks().acquire(request(scenario, FaultScenario.PATIENCE));
			LockHandle kept = rival(scenario, FaultScenario.PATIENCE);
			CompletableFuture<LockHandle> one = scenario.rival()
				.locks()
				.acquireAsync(request(scenario, FaultScenario.WAIT));
			Awaitility.await().until(() -> scenario.left().size() == 3);
			CompletableFuture<LockHandle> two = scenario.rival()
				.locks()
				.acquireAsync(request(scenario, FaultScenario.WAIT));
			Awaitility.await().until(() -> scenario.left().size() == 4);
			server.killSession(scenario.victim().sessionId());
			LockHandle next = one.get(30, TimeUnit.SECONDS);
			assertThat(two).isNotDone();
			Awaitility.await().until(() -> expired.state() == LockState.LOST);
			kept.release();
			two.get(30, TimeUnit.SECONDS).release();
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
				.isThrownBy(() -> rival(scenario, FaultScenario.PATIENCE))
				.withMessageContaining("in use with 1 permit;");
			mutex.release();
			LockHandle one = rival(scenario, FaultScenario.PATIENCE);
			LockHandle two = rival(scenario, FaultScenario.PATIENCE);
			one.release();
			assertThat(mutex.acquire(150, TimeUnit.MILLISECONDS)).isFalse();
			two.release();
			assertThat(mutex.acquire(30, TimeUnit.SECONDS)).isTrue();
			mutex.release();
			scenario.assertNothingLeft();
		}
	}

	// Two hold the two permits and one waits; its session ends for the client only.
	private static int holdersAtTheSameTime(FaultScenario scenario) throws Exception {
		LockHandle one = rival(scenario, FaultScenario.PATIENCE);
		LockHandle two = rival(scenario, FaultScenario.PATIENCE);
		long deadSession = scenario.victim().sessionId();
		CompletableFuture<LockHandle> waiting = scenario.victim()
			.locks()
			.acquireAsync(request(scenario, FaultScenario.WAIT));
		Awaitility.await().until(() -> scenario.left().size() == 3);
		scenario.giveUpSession();
		one.release();
		LockHandle three = waiting.get(30, TimeUnit.SECONDS);
		server.killSession(deadSession);
		int holders = (two.isHeld() ? 1 : 0) + (three.isHeld() ? 1 : 0);
		try {
			rival(scenario, Duration.ofMillis(500));
			return holders + 1;
		}
		catch (LockNotAcquiredException | LockUnavailableException ex) {
			// On a machine that stands still, the time is over before there is an answer.
			return holders;
		}
	}

	// With an owner of its own, since an owner that holds the key would re-enter.
	private static LockHandle rival(FaultScenario scenario, Duration wait) {
		return scenario.rival().locks().acquire(request(scenario, wait).withOwner(new Object()));
	}

	private static LockRequest request(FaultScenario scenario, Duration wait) {
		return scenario.request(wait).withPermits(2);
	}

	private static FaultScenario ours() {
		return FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);
	}

}
