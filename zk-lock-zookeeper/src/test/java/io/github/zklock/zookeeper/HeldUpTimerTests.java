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
import io.github.zklock.support.Fault;
import io.github.zklock.support.HeldUpTimer;
import io.github.zklock.support.Waited;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What is promised about time does not depend on the one thread of the JVM that completes
 * futures in time, which any part of an application may hold up.
 */
@Tag("server")
class HeldUpTimerTests {

	private static final Duration WAIT = Duration.ofSeconds(5);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);

	@Test
	void waitIsBoundedThoughNobodySaysWhoHoldsTheLock() throws Exception {
		LockHandle held = this.scenario.rival().locks().acquire(this.scenario.request(FaultScenario.WAIT));
		try (HeldUpTimer timer = new HeldUpTimer()) {
			this.scenario.network().on(ZooKeeperOperation.GET_DATA, this.scenario.directory()).pass();
			Fault silence = this.scenario.network()
				.on(ZooKeeperOperation.GET_DATA, this.scenario.directory())
				.holdReply();
			Waited.atLeast(WAIT,
					() -> assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this::acquire));
			silence.awaitFired();
			silence.release();
		}
		held.release();
		this.scenario.assertNothingLeft();
	}

	private void acquire() {
		this.scenario.victim().locks().acquire(this.scenario.request(WAIT));
	}

	@Test
	void releaseIsBoundedThoughNobodyConfirmsIt() throws Exception {
		try (HeldUpTimer timer = new HeldUpTimer()) {
			LockHandle held = this.scenario.victim().locks().acquire(this.scenario.request(FaultScenario.WAIT));
			Fault silence = this.scenario.network()
				.on(ZooKeeperOperation.DELETE, this.scenario.directory())
				.holdReply();
			CompletableFuture<Void> released = held.releaseAsync();
			released.get(30, TimeUnit.SECONDS);
			silence.awaitFired();
			silence.release();
		}
		this.scenario.assertNothingLeft();
	}

}
