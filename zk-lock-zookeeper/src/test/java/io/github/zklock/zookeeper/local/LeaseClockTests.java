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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.EngineParts;
import io.github.zklock.zookeeper.queue.HeldPlaces;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.session.LockSession;
import io.github.zklock.zookeeper.session.SessionLease;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a handle says depends on the clock when it is asked and on nothing that would have
 * to happen before, and heartbeats count from when they were sent.
 */
@Tag("server")
class LeaseClockTests {

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	private static final String NODE = "/clock/key/zc10c4-1-lock-0000000000";

	private static final long NEARLY = TimeUnit.MILLISECONDS.toNanos(20);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final CountDownLatch over = new CountDownLatch(1);

	private FaultProxy network;

	private CuratorFramework client;

	private EngineParts engine;

	private LockSession session;

	private Turn turn;

	private ZooKeeperLockHandle handle;

	@BeforeEach
	void acquire() throws Exception {
		this.network = new FaultProxy(server);
		this.client = CuratorFrameworkFactory.builder()
			.connectString(this.network.connectString())
			.sessionTimeoutMs((int) SESSION_TIMEOUT.toMillis())
			.retryPolicy(new RetryOneTime(1000))
			.build();
		this.client.start();
		this.client.blockUntilConnected();
		this.client.create().orSetData().creatingParentsIfNeeded().forPath("/clock/~sessions");
		this.engine = EngineParts.start(this.client, "/clock");
		this.session = this.engine.tracker().current();
		this.engine.paths().askForAcls("key");
		this.session.lease().nodeCreated(this.session.lease().now());
		LockNode node = new LockNode(this.session, "/clock/key", "zc10c4-1-", NODE, 1, 0);
		HeldLocks held = this.engine.held();
		LocalQueue queue = new LocalQueue(this.engine.services(), this.engine.cache(), held, new LongAdder(),
				LockMode.EXCLUSIVE, () -> false, (idle) -> {
				});
		this.turn = queue.newTurn(HeldPlaces.of(this.engine.services(), node, LockRequest.of("key")));
		this.handle = new ZooKeeperLockHandle(this.engine.tasks(), LockRequest.of("key"), this.turn, held);
	}

	@AfterEach
	void close() {
		this.over.countDown();
		this.engine.shutdown();
		this.client.close();
		this.network.close();
	}

	@Test
	void lockIsLostByTheClockAloneWhenTheTimerComesTooLate() {
		Queue<LockHandle> told = new ConcurrentLinkedQueue<>();
		this.handle.onLost(told::add);
		this.engine.tasks().later(this::standStill, 0);
		this.turn.relyOnLease();
		this.handle.enterTurn();
		assertThat(this.handle.isHeld()).isTrue();
		Awaitility.await().until(() -> this.session.lease().isOver());
		assertThat(told).isEmpty();
		assertThat(this.session.state()).as("what the connection says").isEqualTo(LockState.HELD);
		assertThat(this.handle.isHeld()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.handle::assertHeld);
		Awaitility.await().untilAsserted(() -> assertThat(told).containsExactly(this.handle));
	}

	@Test
	void leaseIsShortenedByAConnectionWithAShorterTimeout() {
		long before = end();
		server.limitSessionTimeout(SESSION_TIMEOUT.minusSeconds(1));
		try {
			this.network.killConnections();
			Awaitility.await().until(() -> end() < before - 2 * NEARLY);
		}
		finally {
			server.limitSessionTimeout(SESSION_TIMEOUT);
		}
	}

	// When the lease ends, as it is known now; two readings of the clock are needed.
	private long end() {
		SessionLease lease = this.session.lease();
		while (true) {
			long now = lease.now();
			long end = now + lease.remaining();
			if (lease.now() - now < NEARLY) {
				return end;
			}
		}
	}

	private void standStill() {
		try {
			this.over.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
