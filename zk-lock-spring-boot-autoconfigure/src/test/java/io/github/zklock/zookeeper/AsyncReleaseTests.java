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
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockProvider;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.Fault;
import io.github.zklock.support.FaultPlan;
import io.github.zklock.support.IndependentOfBoot;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A release that waits for nothing.
 */
@IndependentOfBoot
class AsyncReleaseTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private FaultScenario scenario;

	@BeforeEach
	void connect() {
		this.scenario = new FaultScenario(server,
				(curator) -> ZooKeeperLockProvider.builder(curator)
					.serverTick(ZooKeeperServerFixture.TICK)
					.release(Release.ASYNC)
					.tryTimeout(FaultScenario.PATIENCE)
					.build());
		// What the other client has released, this one must not find taken.
		Awaitility.await().until(() -> this.scenario.left().isEmpty());
	}

	@AfterEach
	void disconnect() {
		this.scenario.close();
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
	void closeWaitsForTheDelete() {
		LockHandle handle = locks().acquire(request());
		Fault unanswered = this.scenario.network().on(ZooKeeperOperation.DELETE).holdRequest();
		handle.release();
		unanswered.awaitFired();
		CompletableFuture<Void> closed = CompletableFuture.runAsync(((ZooKeeperLockProvider) locks())::close);
		assertThat(this.scenario.left()).hasSize(1);
		assertThat(closed).isNotDone();
		unanswered.release();
		closed.join();
		assertThat(this.scenario.left()).isEmpty();
	}

	@Test
	void deleteOfAKeyThatNobodyElseUsesGoesWithTheNextLock() throws Exception {
		useUntilQuiet();
		CompletableFuture<Void> over = standStill();
		locks().acquire(request()).release();
		assertThat(this.scenario.network().requests().during(this.scenario.directory(), () -> {
			locks().acquire(request()).release();
			locks().acquire(request()).release();
			return null;
		})).isEqualTo(Map.of(ZooKeeperOperation.MULTI, 2L));
		assertThat(this.scenario.left()).hasSize(1);
		over.complete(null);
		this.scenario.assertNothingLeft();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void deleteAndLockThatAreLostTogetherLeaveNothing(boolean executed) {
		useUntilQuiet();
		FaultPlan plan = this.scenario.network().on(ZooKeeperOperation.MULTI);
		Fault lost = executed ? plan.killAfter() : plan.killBefore();
		Awaitility.await().until(() -> {
			locks().acquire(request()).release();
			locks().acquire(request()).release();
			return lost.hasFired();
		});
		this.scenario.assertNothingLeft();
	}

	@Test
	void tryOfTheSameProcessFindsAKeyFreeWhoseDeleteHasNotGone() {
		useUntilQuiet();
		CompletableFuture<Void> over = standStill();
		locks().acquire(request()).release();
		assertThat(this.scenario.left()).hasSize(1);
		locks().acquire(request().withWait(Duration.ZERO)).release();
		over.complete(null);
	}

	@Test
	void deleteOfAKeyThatOthersUseTooGoesAtOnce() {
		useUntilQuiet();
		this.scenario.rival().locks().acquire(request()).release();
		this.scenario.awaitNodes(0);
		CompletableFuture<Void> over = standStill();
		locks().acquire(request()).release();
		this.scenario.awaitNodes(0);
		over.complete(null);
	}

	private void useUntilQuiet() {
		Awaitility.await().until(() -> {
			this.scenario.useLock();
			return engine().tracker().current().quietQueues().isQuiet(this.scenario.directory());
		});
		this.scenario.awaitNodes(0);
	}

	// Nothing that is to happen in a moment does.
	private CompletableFuture<Void> standStill() {
		CompletableFuture<Void> still = new CompletableFuture<>();
		CompletableFuture<Void> over = new CompletableFuture<>();
		engine().schedule(() -> {
			still.complete(null);
			over.join();
		}, 0, TimeUnit.NANOSECONDS);
		still.join();
		return over;
	}

	private LockEngine engine() {
		return (LockEngine) ReflectionTestUtils.getField(locks(), "engine");
	}

	private LockRequest request() {
		return this.scenario.request(FaultScenario.PATIENCE);
	}

	private LockProvider locks() {
		return this.scenario.victim().locks();
	}

}
