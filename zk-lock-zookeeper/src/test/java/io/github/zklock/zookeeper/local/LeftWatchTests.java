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

package io.github.zklock.zookeeper.local;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.support.Fault;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.Refusal;
import io.github.zklock.support.RequestLog;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.EngineParts;
import io.github.zklock.zookeeper.Fairness;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.session.LockSession;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a client watches is watched no longer, at the server, when nobody needs it.
 */
@Tag("server")
class LeftWatchTests {

	private static final Duration SHORT = Duration.ofMillis(150);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);

	@AfterEach
	void disconnect() {
		this.scenario.assertNothingLeft();
	}

	@Test
	void waitInVainLeavesNone() {
		LockHandle held = holdElsewhere();
		Refusal.of(() -> this.scenario.victim().locks().acquire(this.scenario.request(SHORT)));
		awaitWatched();
		held.release();
	}

	@Test
	void waitThatEndsWithoutAConnectionLeavesNone() {
		LockHandle held = holdElsewhere();
		CompletableFuture<LockHandle> waiting = waitFor(LockMode.EXCLUSIVE);
		this.scenario.network().refuse();
		Awaitility.await().until(() -> session().state() != LockState.HELD);
		waiting.cancel(false);
		this.scenario.network().heal();
		Awaitility.await().until(() -> session().isUsable());
		awaitWatched();
		held.release();
	}

	@Test
	void waitThatEndsAfterALookWithoutAnAnswerLeavesNone() throws Exception {
		LockHandle held = holdElsewhere();
		CompletableFuture<LockHandle> waiting = waitFor(LockMode.EXCLUSIVE);
		Fault look = this.scenario.network().on(ZooKeeperOperation.EXISTS, this.scenario.directory()).holdRequest();
		EngineParts engine = EngineParts.of((ZooKeeperLockProvider) this.scenario.victim().locks());
		engine.recheck();
		engine.recheck();
		look.awaitFired();
		this.scenario.network().refuse();
		Awaitility.await().until(() -> session().state() != LockState.HELD);
		waiting.cancel(false);
		this.scenario.network().heal();
		Awaitility.await().until(() -> session().isUsable());
		awaitWatched();
		held.release();
	}

	@Test
	void oneOfManyThatWaitForANodeLeavesTheOthersAlone() throws Exception {
		LockHandle held = holdElsewhere();
		String node = nodes().get(0);
		try (LockClient<ZooKeeperLockProvider> strict = LockClient.connect(this.scenario.network().connectString(),
				FaultScenario.SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator).fairness(Fairness.STRICT).build())) {
			LockRequest request = this.scenario.request(FaultScenario.WAIT).withMode(LockMode.READ);
			List<CompletableFuture<LockHandle>> readers = IntStream.range(0, 5)
				.mapToObj((i) -> strict.locks().acquireAsync(request))
				.toList();
			this.scenario.awaitNodes(6);
			RequestLog requests = this.scenario.network().requests();
			Awaitility.await()
				.until(() -> requests.count(ZooKeeperOperation.GET_DATA, this.scenario.directory() + "/") == 5);
			readers.get(0).cancel(false);
			this.scenario.awaitNodes(5);
			// What it has caused is answered before.
			strict.locks().acquire(LockRequest.of("another").withWait(FaultScenario.WAIT)).release();
			strict.locks().acquire(LockRequest.of("another").withWait(FaultScenario.WAIT)).release();
			assertThat(requests.count(ZooKeeperOperation.GET_DATA, this.scenario.directory() + "/")).isEqualTo(5);
			awaitWatched(node);
			readers.forEach((reader) -> reader.cancel(false));
			awaitWatched();
		}
		held.release();
	}

	@Test
	void otherWaiterOfTheSameClientStillSeesTheNodeGo() {
		LockHandle held = holdElsewhere();
		String node = nodes().get(0);
		LockAttempt reading = attemptThatLooksOnlyOnce();
		awaitWatched(node);
		CompletableFuture<LockHandle> writing = waitFor(LockMode.WRITE);
		this.scenario.awaitNodes(3);
		writing.cancel(false);
		this.scenario.awaitNodes(2);
		awaitWatched(node);
		held.release();
		reading.verdict().join().handleOrThrow().release();
		awaitWatched();
	}

	@Test
	void watchOfAPlainRecipeOnItsOwnNodeIsLeftToIt() throws Exception {
		InterProcessMutex mutex = new InterProcessMutex(this.scenario.victim().curator(), this.scenario.directory());
		CompletableFuture<Boolean> revoked = new CompletableFuture<>();
		mutex.makeRevocable((any) -> revoked.complete(true));
		mutex.acquire();
		Refusal.of(() -> this.scenario.victim().locks().acquire(this.scenario.request(SHORT)));
		this.scenario.awaitNodes(1);
		this.scenario.rival().curator().setData().forPath(nodes().get(0), "__REVOKE__".getBytes());
		assertThat(revoked.get(30, TimeUnit.SECONDS)).isTrue();
		mutex.release();
		awaitWatched();
	}

	private LockHandle holdElsewhere() {
		return this.scenario.rival().locks().acquire(this.scenario.request(FaultScenario.WAIT));
	}

	private CompletableFuture<LockHandle> waitFor(LockMode mode) {
		int before = this.scenario.left().size();
		LockRequest request = this.scenario.request(FaultScenario.WAIT).withMode(mode);
		CompletableFuture<LockHandle> waiting = this.scenario.victim().locks().acquireAsync(request);
		this.scenario.awaitNodes(before + 1);
		Awaitility.await().until(() -> !server.watched("/locks").isEmpty());
		return waiting;
	}

	// Not known to the provider, which would look again by itself.
	private LockAttempt attemptThatLooksOnlyOnce() {
		LockRequest request = this.scenario.request(FaultScenario.WAIT).withMode(LockMode.READ);
		LockAttempt attempt = new LockAttempt(engine().tracker(), engine().tasks(), engine().paths(), request,
				() -> new byte[0], FaultScenario.WAIT);
		engine().queues().enter(attempt);
		return attempt;
	}

	private List<String> nodes() {
		return this.scenario.left().stream().map((name) -> this.scenario.directory() + "/" + name).toList();
	}

	private void awaitWatched(String... paths) {
		Awaitility.await().untilAsserted(() -> assertThat(server.watched("/locks")).containsExactly(paths));
	}

	private LockSession session() {
		return engine().tracker().current();
	}

	private EngineParts engine() {
		return EngineParts.of((ZooKeeperLockProvider) this.scenario.victim().locks());
	}

}
