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
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.Fault;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A release that waits for nothing.
 */
@Tag("server")
class AsyncReleaseTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final FaultScenario scenario = new FaultScenario(server,
			(curator) -> ZooKeeperLockProvider.builder(curator)
				.serverTick(ZooKeeperServerFixture.TICK)
				.awaitRelease(false)
				.tryTimeout(FaultScenario.PATIENCE)
				.build());

	@BeforeEach
	void connect() {
		// What the other client has released, this one must not find taken.
		Awaitility.await().until(() -> this.scenario.left().isEmpty());
	}

	@Test
	void releaseReturnsBeforeTheServerAnswers() {
		LockHandle handle = locks().acquire(request());
		Fault unanswered = this.scenario.network().on(ZooKeeperOperation.DELETE).holdRequest();
		handle.release();
		unanswered.awaitFired();
		assertThat(this.scenario.left()).hasSize(1);
		unanswered.release();
		this.scenario.assertNothingLeft();
	}

	@Test
	void futureOfAReleaseIsDoneBeforeTheServerAnswers() {
		LockHandle handle = locks().acquire(request());
		Fault unanswered = this.scenario.network().on(ZooKeeperOperation.DELETE).holdRequest();
		CompletableFuture<Void> released = handle.releaseAsync();
		unanswered.awaitFired();
		assertThat(released).succeedsWithin(FaultScenario.PATIENCE);
		assertThat(this.scenario.left()).hasSize(1);
		unanswered.release();
		this.scenario.assertNothingLeft();
	}

	@Test
	void lockOfTheSameProcessComesAfterItsRelease() {
		for (int i = 0; i < 100; i++) {
			locks().acquire(request().withWait(Duration.ZERO)).release();
		}
		this.scenario.assertNothingLeft();
	}

	@Test
	void lockIsOneRoundTripAndOneDelete() throws Exception {
		this.scenario.useLock();
		Awaitility.await().until(() -> this.scenario.left().isEmpty());
		Fault last = this.scenario.network().on(ZooKeeperOperation.DELETE).holdReply();
		assertThat(this.scenario.network().requests().during(this.scenario.directory(), () -> {
			locks().acquire(request()).release();
			last.awaitFired();
			return last;
		})).isEqualTo(Map.of(ZooKeeperOperation.CREATE, 1L, ZooKeeperOperation.GET_CHILDREN, 1L,
				ZooKeeperOperation.DELETE, 1L));
		last.release();
	}

	@Test
	void deleteThatIsLostIsRepeated() {
		LockHandle handle = locks().acquire(request());
		this.scenario.network().on(ZooKeeperOperation.DELETE).killBefore();
		handle.release();
		this.scenario.assertNothingLeft();
	}

	@Test
	void shutdownIsCleanOnlyAfterTheDelete() {
		LockHandle handle = locks().acquire(request());
		Fault unanswered = this.scenario.network().on(ZooKeeperOperation.DELETE).holdRequest();
		handle.release();
		unanswered.awaitFired();
		LockEngine engine = ((ZooKeeperLockProvider) locks()).engine;
		engine.beginShutdown();
		CompletableFuture<Void> clean = engine.cleanUp();
		assertThat(this.scenario.left()).hasSize(1);
		assertThat(clean).isNotDone();
		unanswered.release();
		clean.join();
		assertThat(this.scenario.left()).isEmpty();
		engine.endShutdown();
	}

	private LockRequest request() {
		return this.scenario.request(FaultScenario.PATIENCE);
	}

	private LockProvider locks() {
		return this.scenario.victim().locks();
	}

}
