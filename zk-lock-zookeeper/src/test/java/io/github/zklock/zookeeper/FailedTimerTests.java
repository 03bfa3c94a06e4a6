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
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.DelegatingTasks;
import io.github.zklock.support.Fault;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.tasks.Tasks;
import org.apache.curator.framework.CuratorFramework;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * For a moment nothing can be done later, because there is no memory: what keeps the
 * leases goes on nevertheless.
 */
@Tag("server")
class FailedTimerTests {

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	private static final Duration WAIT = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final AtomicInteger failing = new AtomicInteger();

	private final EngineClock clock = new EngineClock();

	@Test
	void locksAreKeptAliveAlthoughTheFirstLookCouldNotBePlanned() {
		try (LockClient<ZooKeeperLockProvider> client = LockClient.connect(server.connectString(), SESSION_TIMEOUT,
				this::build)) {
			this.failing.set(1);
			try {
				client.locks().acquire(LockRequest.of("first").withWait(WAIT));
			}
			catch (LockException ex) {
				// It is about the next one.
			}
			assertThat(this.failing).hasValue(0);
			LockHandle held = client.locks().acquire(LockRequest.of("next").withWait(WAIT));
			Awaitility.await()
				.atMost(WAIT)
				.untilAsserted(() -> assertThat(server.children("/locks/~sessions")).isNotEmpty());
			Awaitility.await().until(held::isHeld);
		}
	}

	@Test
	void lockIsGrantedAfterALateHeartbeatAlthoughItsProofCouldNotBePlanned() throws Exception {
		try (FaultScenario scenario = new FaultScenario(server, SESSION_TIMEOUT, this::build)) {
			LockHandle before = scenario.rival().locks().acquire(scenario.request(WAIT));
			CompletableFuture<LockHandle> waiting = scenario.victim()
				.locks()
				.acquireAsync(scenario.request(Duration.ofMinutes(2)));
			scenario.awaitNodes(2);
			this.clock.forward(SESSION_TIMEOUT);
			Fault late = scenario.network().on(ZooKeeperOperation.CREATE, "~sessions").holdReply();
			before.release();
			late.awaitFired();
			this.clock.forward(ZooKeeperServerFixture.TICK.multipliedBy(2));
			assertThat(waiting).isNotDone();
			this.failing.set(1);
			late.release();
			Awaitility.await().until(waiting.get(WAIT.toSeconds(), TimeUnit.SECONDS)::isHeld);
			assertThat(this.failing).hasValue(0);
		}
	}

	private ZooKeeperLockProvider build(CuratorFramework curator) {
		ZooKeeperLockProviderBuilder builder = ZooKeeperLockProvider.builder(curator)
			.serverTick(ZooKeeperServerFixture.TICK);
		return this.clock.build(builder.tasks(new Failing(builder.tasks())));
	}

	/**
	 * Tasks of which the next ones cannot be planned.
	 */
	private final class Failing extends DelegatingTasks {

		Failing(Tasks tasks) {
			super(tasks);
		}

		@Override
		public Future<?> schedule(Runnable action, long delay) {
			if (FailedTimerTests.this.failing.getAndUpdate((left) -> Math.max(left - 1, 0)) > 0) {
				throw new OutOfMemoryError("Java heap space (injected)");
			}
			return super.schedule(action, delay);
		}

	}

}
