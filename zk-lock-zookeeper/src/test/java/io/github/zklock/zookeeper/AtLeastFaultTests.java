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

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.Fault;
import io.github.zklock.support.FaultPlan;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Replies that come late while a key is stamped: the lock is granted with a stamp, or not
 * at all, and no stamp is left behind. Lost messages are a matter of the simulation.
 */
@Tag("server")
class AtLeastFaultTests {

	private static final Duration AT_LEAST = Duration.ofMillis(300);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void stampThatWasConfirmedLateIsReplaced() throws Exception {
		try (FaultScenario scenario = ours()) {
			Fault held = onStamp(scenario.network()).holdReply();
			CompletableFuture<LockHandle> acquiring = scenario.victim()
				.locks()
				.acquireAsync(request(scenario, Duration.ofSeconds(20)).withLockAtLeastFor(Duration.ofMinutes(1)));
			held.awaitFired();
			long start = System.nanoTime();
			eventually().until(() -> System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(150));
			assertThat(acquiring).isNotDone();
			held.release();
			LockHandle handle = acquiring.get(30, TimeUnit.SECONDS);
			eventually().untilAsserted(() -> assertThat(stamps(scenario)).singleElement()
				.asString()
				.doesNotEndWith("-100")
				.contains("-least-60000-"));
			assertThat(handle.isHeld()).isTrue();
		}
	}

	@Test
	void requestThatTimesOutBeforeItsStampIsConfirmedLeavesNone() {
		try (FaultScenario scenario = ours()) {
			Fault held = onStamp(scenario.network()).holdReply();
			CompletableFuture<Throwable> refused = CompletableFuture
				.supplyAsync(() -> catchThrowable(() -> scenario.victim()
					.locks()
					.acquire(request(scenario, Duration.ofSeconds(5)).withLockAtLeastFor(Duration.ofMinutes(1)))));
			held.awaitFired();
			assertThat(refused.join()).isInstanceOf(LockUnavailableException.class);
			held.release();
			scenario.assertNothingLeft();
		}
	}

	@Test
	void sessionThatEndsBeforeTheStampIsConfirmedLeavesNone() throws Exception {
		try (FaultScenario scenario = ours()) {
			Fault held = onStamp(scenario.network()).holdReply();
			CompletableFuture<LockHandle> acquiring = scenario.victim()
				.locks()
				.acquireAsync(request(scenario, Duration.ofSeconds(30)));
			held.awaitFired();
			server.killSession(scenario.victim().sessionId());
			held.release();
			acquiring.get(30, TimeUnit.SECONDS).release();
			scenario.assertNothingLeft();
		}
	}

	private static List<String> stamps(FaultScenario scenario) {
		return scenario.left().stream().filter((name) -> name.contains("least")).toList();
	}

	private static LockRequest request(FaultScenario scenario, Duration wait) {
		return scenario.request(wait).withLockAtLeastFor(AT_LEAST);
	}

	private static FaultPlan onStamp(FaultProxy network) {
		return network.on(ZooKeeperOperation.CREATE, "least");
	}

	private static FaultScenario ours() {
		return new FaultScenario(server, (curator) -> ZooKeeperLockProvider.builder(curator).build());
	}

	private static ConditionFactory eventually() {
		return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
	}

}
