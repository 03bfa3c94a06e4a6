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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.spi.AcquireContext;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who asks for a lock is told when that takes more than a reply of ZooKeeper, and it is
 * counted how often a place in the queue was lost.
 */
@Tag("server")
class WaitNoticeTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final AtomicInteger told = new AtomicInteger();

	private final CountDownLatch waits = new CountDownLatch(1);

	@Test
	void lockThatIsFreeIsNotWaitedFor() {
		try (FaultScenario scenario = ours()) {
			LockHandle handle = scenario.victim()
				.locks()
				.acquire(scenario.request(FaultScenario.WAIT), AcquireContext.NONE.withWhenWaiting(this::waits));
			handle.release();
			assertThat(this.told).hasValue(0);
		}
	}

	@Test
	void lockThatAnotherProcessHoldsIsWaitedFor() throws Exception {
		try (FaultScenario scenario = ours()) {
			waitsFor(scenario, scenario.rival());
		}
	}

	@Test
	void lockThatTheSameProcessHoldsIsWaitedFor() throws Exception {
		try (FaultScenario scenario = ours()) {
			waitsFor(scenario, scenario.victim());
		}
	}

	@Test
	void connectionIsWaitedFor() throws Exception {
		try (FaultScenario scenario = ours()) {
			scenario.network().refuse();
			CompletableFuture<LockHandle> waiting = ask(scenario);
			assertThat(this.waits.await(30, TimeUnit.SECONDS)).isTrue();
			waiting.cancel(false);
		}
	}

	@Test
	void waiterThatLosesItsSessionQueuesAgain() throws Exception {
		try (FaultScenario scenario = ours()) {
			LockHandle holder = scenario.rival().locks().acquire(scenario.request(FaultScenario.PATIENCE));
			CompletableFuture<LockHandle> waiting = ask(scenario);
			scenario.awaitNodes(2);
			assertThat(this.waits.await(30, TimeUnit.SECONDS)).isTrue();
			assertThat(requeued(scenario)).isZero();
			server.killSession(scenario.victim().sessionId());
			Awaitility.await().until(() -> requeued(scenario) == 1);
			holder.release();
			waiting.get(30, TimeUnit.SECONDS).release();
			assertThat(this.told).hasValue(1);
		}
	}

	private void waitsFor(FaultScenario scenario, LockClient<LockProvider> other) throws Exception {
		LockHandle holder = other.locks().acquire(scenario.request(FaultScenario.PATIENCE).withOwner("holder"));
		CompletableFuture<LockHandle> waiting = ask(scenario);
		assertThat(this.waits.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(waiting).isNotDone();
		holder.release();
		waiting.get(30, TimeUnit.SECONDS).release();
		assertThat(this.told).hasValue(1);
	}

	private CompletableFuture<LockHandle> ask(FaultScenario scenario) {
		return scenario.victim()
			.locks()
			.acquireAsync(scenario.request(FaultScenario.WAIT), AcquireContext.NONE.withWhenWaiting(this::waits));
	}

	private void waits() {
		this.told.incrementAndGet();
		this.waits.countDown();
	}

	private static long requeued(FaultScenario scenario) {
		return ((ZooKeeperLockProvider) scenario.victim().locks()).requeuedRequests();
	}

	private static FaultScenario ours() {
		return FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);
	}

}
