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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * The owner of a client closes it while locks are in use.
 */
@Tag("server")
class ClosedClientTests {

	private static final Duration SOON = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void waitersEndAndHoldersAreTold() {
		try (FaultScenario scenario = new FaultScenario(server,
				(curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			LockHandle rival = scenario.rival().locks().acquire(scenario.request(SOON));
			LockHandle held = scenario.victim().locks().acquire(LockRequest.of("mine").withWait(SOON));
			List<LockHandle> told = new CopyOnWriteArrayList<>();
			held.onLost(told::add);
			CompletableFuture<LockHandle> blocked = CompletableFuture
				.supplyAsync(() -> scenario.victim().locks().acquire(scenario.request(LockRequest.FOREVER)));
			CompletableFuture<LockHandle> asynchronous = scenario.victim()
				.locks()
				.acquireAsync(scenario.request(LockRequest.FOREVER));
			Awaitility.await().until(() -> scenario.left().size() == 2);
			scenario.victim().curator().close();
			assertUnavailable(blocked);
			assertUnavailable(asynchronous);
			Awaitility.await().atMost(SOON).untilAsserted(() -> assertThat(told).containsExactly(held));
			assertThat(held.state()).isEqualTo(LockState.LOST);
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> scenario.victim().locks().acquire(LockRequest.of("late").withWait(SOON)));
			rival.release();
		}
	}

	private static void assertUnavailable(CompletableFuture<LockHandle> waiting) {
		assertThat(catchThrowable(() -> waiting.get(SOON.toMillis(), TimeUnit.MILLISECONDS))).cause()
			.isInstanceOf(LockUnavailableException.class)
			.hasMessageContaining("client is closed");
	}

}
