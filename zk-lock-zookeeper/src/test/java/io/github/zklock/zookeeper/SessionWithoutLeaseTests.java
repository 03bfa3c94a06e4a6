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

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockState;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.session.LockSession;
import org.apache.zookeeper.ZooKeeper;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A session timeout that is too short for a lease with the tick of the servers: only the
 * connection tells whether a lock may be granted. While there is none, the server may
 * have ended the session, and another client may hold the lock.
 */
@Tag("server")
class SessionWithoutLeaseTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final FaultScenario scenario = new FaultScenario(server,
			(curator) -> ZooKeeperLockProvider.builder(curator).serverTick(FaultScenario.SESSION_TIMEOUT).build());

	private long session;

	@BeforeEach
	void connect() {
		this.session = this.scenario.victim().sessionId();
		LockSession current = ((ZooKeeperLockProvider) locks()).engine.tracker.current();
		assertThat(current.lease().isPossible()).isFalse();
	}

	@AfterEach
	void leaveNothing() {
		this.scenario.assertNothingLeft();
	}

	@Test
	void lockIsNotHandedOnWithoutAConnection() throws Exception {
		LockHandle first = locks().acquireAsync(this.scenario.request(FaultScenario.WAIT)).join();
		CompletableFuture<LockHandle> next = locks().acquireAsync(this.scenario.request(FaultScenario.WAIT));
		// By then it is known that nobody else waits.
		reply(() -> {
		}).join();
		this.scenario.network().refuse();
		Awaitility.await().until(() -> first.state() == LockState.UNCERTAIN);
		LockHandle other = takeAfterTheEndOfTheSession();
		first.releaseAsync();
		assertIsGrantedAfter(other, next);
	}

	@Test
	void lockIsNotGrantedWithoutAConnection() throws Exception {
		LockHandle first = this.scenario.rival().locks().acquire(this.scenario.request(FaultScenario.WAIT));
		CompletableFuture<LockHandle> next = this.scenario.enter(this.scenario.victim(), 2);
		Awaitility.await().until(() -> server.watched("/locks").size() == 1);
		ZooKeeper client = this.scenario.victim().curator().getZookeeperClient().getZooKeeper();
		CountDownLatch busy = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		CompletableFuture<Void> held = reply(() -> {
			busy.countDown();
			goOn.await();
		});
		busy.await();
		first.release();
		// The event has arrived when this is answered, and waits for its turn.
		client.exists("/", false);
		this.scenario.network().refuse();
		Awaitility.await().until(() -> !client.getState().isConnected());
		LockHandle other = takeAfterTheEndOfTheSession();
		goOn.countDown();
		held.join();
		assertIsGrantedAfter(other, next);
	}

	private LockHandle takeAfterTheEndOfTheSession() {
		server.killSession(this.session);
		return this.scenario.rival().locks().acquire(this.scenario.request(FaultScenario.WAIT));
	}

	private void assertIsGrantedAfter(LockHandle other, CompletableFuture<LockHandle> next) {
		this.scenario.network().heal();
		assertThat(next).isNotDone();
		other.release();
		LockHandle granted = next.join();
		assertThat(granted.fencingToken()).isGreaterThan(other.fencingToken());
		granted.release();
	}

	// On the thread of all replies and events, after those that came before.
	private CompletableFuture<Void> reply(Step step) throws Exception {
		CompletableFuture<Void> done = new CompletableFuture<>();
		this.scenario.victim().curator().checkExists().inBackground((client, event) -> {
			step.run();
			done.complete(null);
		}).forPath("/");
		return done;
	}

	private LockProvider locks() {
		return this.scenario.victim().locks();
	}

	private interface Step {

		void run() throws Exception;

	}

}
