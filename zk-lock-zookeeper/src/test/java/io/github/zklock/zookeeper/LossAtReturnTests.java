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
import java.util.stream.Stream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.support.ConcurrentTests;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The connection is gone when a body returns, so ZooKeeper cannot be asked whether the
 * lock was lost before. The lease tells: after its end somebody else may have had the
 * lock, so the caller has to be told; before, nobody had it.
 */
@Tag("server")
class LossAtReturnTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@TestFactory
	Stream<DynamicTest> bodyReturnsWithoutAConnection() {
		return new ConcurrentTests()
			.add("milliseconds after the next holder came", List.of(0, 5, 50, 400), this::callerIsToldOfTheLoss)
			.add("at the end of the lease", List.of(LockState.LOST), this::callerIsToldBeforeThereIsANextHolder)
			.add("before the end of the lease", List.of(LockState.HELD), this::callerIsNotBothered)
			.stream();
	}

	private void callerIsToldOfTheLoss(int millis) {
		try (FaultScenario scenario = FaultScenario.ours(server, SESSION_TIMEOUT)) {
			LockTemplate template = new LockTemplate(scenario.victim().locks());
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> template.execute(scenario.request(WAIT), (handle) -> {
					scenario.network().blackhole();
					LockHandle next = scenario.rival().locks().acquire(scenario.request(WAIT));
					assertThat(next.fencingToken()).isGreaterThan(handle.fencingToken());
					pause(millis);
					next.release();
					return "done";
				}));
			scenario.network().heal();
			scenario.assertNothingLeft();
		}
	}

	private void callerIsToldBeforeThereIsANextHolder(LockState state) {
		try (FaultScenario scenario = FaultScenario.ours(server, SESSION_TIMEOUT)) {
			LockTemplate template = new LockTemplate(scenario.victim().locks());
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> template.execute(scenario.request(WAIT), (handle) -> {
					scenario.network().blackhole();
					Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> handle.state() == state);
					return "done";
				}));
			scenario.network().heal();
			scenario.assertNothingLeft();
		}
	}

	private void callerIsNotBothered(LockState state) {
		try (FaultScenario scenario = FaultScenario.ours(server, SESSION_TIMEOUT)) {
			LockTemplate template = new LockTemplate(scenario.victim().locks());
			String result = template.execute(scenario.request(WAIT), (handle) -> {
				scenario.network().blackhole();
				assertThat(handle.state()).isEqualTo(state);
				return "done";
			});
			assertThat(result).isEqualTo("done");
			scenario.network().heal();
			scenario.assertNothingLeft();
		}
	}

	private static void pause(int millis) {
		new CompletableFuture<Void>().completeOnTimeout(null, millis, TimeUnit.MILLISECONDS).join();
	}

}
