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
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.support.ConcurrentTests;
import io.github.zklock.support.StallMeter;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * The session ends while a body runs, and the body returns before its client has learned
 * of it. Somebody else had the lock at the same time, so the caller has to be told.
 */
class LossAtReturnTests {

	private static final Duration WAIT = FaultScenario.PATIENCE;

	private static final Duration INTERRUPTION = Duration.ofSeconds(3);

	private static final Duration STALL = Duration.ofMillis(500);

	private static final int ATTEMPTS = 3;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@TestFactory
	Stream<DynamicTest> bodyReturnsSoonAfterTheLoss() {
		return new ConcurrentTests()
			.add("milliseconds after the loss", List.of(0, 5, 20, 50, 100, 200, 400), this::callerIsToldOfTheLoss)
			.stream();
	}

	private void callerIsToldOfTheLoss(int millis) {
		for (int i = 1; !isToldOfTheLoss(millis); i++) {
			assertThat(i).as("attempts to be connected again in time").isLessThan(ATTEMPTS);
		}
	}

	private boolean isToldOfTheLoss(int millis) {
		try (StallMeter meter = new StallMeter();
				FaultScenario scenario = new FaultScenario(server,
						(curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			LockTemplate template = new LockTemplate(scenario.victim().locks());
			AtomicLong returned = new AtomicLong();
			Duration stalledBefore = meter.stalled();
			Throwable told = catchThrowable(() -> template.execute(scenario.request(WAIT), (handle) -> {
				server.killSession(scenario.victim().sessionId());
				LockHandle next = scenario.rival().locks().acquire(scenario.request(WAIT));
				assertThat(next.fencingToken()).isGreaterThan(handle.fencingToken());
				pause(millis);
				next.release();
				returned.set(System.nanoTime());
				return "done";
			}));
			Duration took = Duration.ofNanos(System.nanoTime() - returned.get());
			Duration stalled = meter.stalled().minus(stalledBefore);
			scenario.assertNothingLeft();
			// An interruption that is too long hides the loss, and so does a stall.
			boolean hidden = took.compareTo(INTERRUPTION) >= 0 || stalled.compareTo(STALL) >= 0;
			if (told != null || !hidden) {
				assertThat(told).isInstanceOf(LockLostException.class);
			}
			return told != null;
		}
	}

	private static void pause(int millis) {
		new CompletableFuture<Void>().completeOnTimeout(null, millis, TimeUnit.MILLISECONDS).join();
	}

}
