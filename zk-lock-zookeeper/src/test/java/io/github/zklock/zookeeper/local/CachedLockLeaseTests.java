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
import java.util.concurrent.CountDownLatch;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.support.JavaProcess;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.EngineParts;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.KeeperProcess;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.node.OwnerData;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.session.LockSession;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process that stands still while it keeps a lock, for longer than its lease or its
 * session lasts, never takes the lock by what it has kept.
 */
@Tag("server")
class CachedLockLeaseTests {

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	private static final Duration WAIT = Duration.ofSeconds(30);

	private static final LockRequest REQUEST = LockRequest.of("key").withWait(WAIT).withCache(true);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void processThatWasPausedAsksZooKeeper() {
		String key = "paused";
		try (JavaProcess keeper = JavaProcess.start(KeeperProcess.class.getName(), List.of(), server.connectString(),
				Long.toString(SESSION_TIMEOUT.toMillis()), Long.toString(ZooKeeperServerFixture.TICK.toMillis()), key);
				LockClient<ZooKeeperLockProvider> rival = LockClient.connect(server.connectString(),
						FaultScenario.SESSION_TIMEOUT, (curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			String[] line = keeper.awaitLine("KEEPS ").split(" ");
			keeper.pause();
			LockHandle next = rival.locks().acquire(LockRequest.of(key).withWait(WAIT));
			assertThat(next.fencingToken()).isGreaterThan(Long.parseLong(line[1]));
			// It may have been idle for too long just before it was paused.
			Awaitility.await().atMost(WAIT).until(() -> !server.isAlive(Long.parseLong(line[2])));
			keeper.resume();
			assertThat(next.isHeld()).isTrue();
			next.release();
			String taken = keeper.awaitLine("HOLDS ");
			assertThat(token(taken)).isGreaterThan(next.fencingToken());
			assertThat(taken).endsWith("true");
		}
	}

	@Test
	void lockIsNotGrantedAfterTheEndOfTheLease() throws Exception {
		CountDownLatch over = new CountDownLatch(1);
		try (CuratorFramework client = CuratorFrameworkFactory.newClient(server.connectString(),
				(int) SESSION_TIMEOUT.toMillis(), 3000, new RetryOneTime(100))) {
			client.start();
			client.blockUntilConnected();
			EngineParts engine = EngineParts.start(client, "/lease");
			LocalQueues queues = engine.queues();
			acquire(engine, queues).release();
			ZooKeeperLockHandle last = acquire(engine, queues);
			last.release();
			assertThat(engine.cache().size()).isOne();
			// No heartbeat is sent any more.
			engine.tasks().later(() -> {
				try {
					over.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			}, 0);
			LockSession session = engine.tracker().current();
			Awaitility.await().until(() -> session.lease().isOver());
			assertThat(session.state()).as("what the connection says").isEqualTo(LockState.HELD);
			assertThat(takeAtOnce(queues)).isNull();
			LockAttempt attempt = enter(engine, queues);
			// Whoever is first may need more than one heartbeat.
			over.countDown();
			ZooKeeperLockHandle next = attempt.await();
			assertThat(next.state()).isEqualTo(LockState.HELD);
			assertThat(nodeOf(next)).isNotEqualTo(nodeOf(last));
			next.release();
			engine.shutdown();
		}
	}

	private static long nodeOf(ZooKeeperLockHandle handle) {
		return handle.fencingToken() / LockNode.MAX_GRANTS;
	}

	private static ZooKeeperLockHandle acquire(EngineParts engine, LocalQueues queues) {
		ZooKeeperLockHandle kept = takeAtOnce(queues);
		return (kept != null) ? kept : enter(engine, queues).await();
	}

	private static @Nullable ZooKeeperLockHandle takeAtOnce(LocalQueues queues) {
		return queues.takeAtOnce(REQUEST, new OwnerData("test", "test", true, () -> null));
	}

	private static LockAttempt enter(EngineParts engine, LocalQueues queues) {
		LockAttempt attempt = new LockAttempt(engine.tracker(), engine.tasks(), engine.paths(), REQUEST,
				() -> new byte[0], Duration.ofSeconds(1));
		queues.enter(attempt);
		return attempt;
	}

	private static long token(String line) {
		return Long.parseLong(line.split(" ")[1]);
	}

}
