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
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.Waited;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.ZooKeeper.States;
import org.apache.zookeeper.client.ZKClientConfig;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Servers that refuse the client as such: whoever waits is told in time, and the locks
 * work as soon as the servers accept it.
 */
@Tag("server")
class RefusedClientTests {

	private static final Duration SHORT = Duration.ofSeconds(1);

	private static final Duration LONG = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void lockIsLostWhenTheAuthenticationIsRefusedAndAnotherSessionIsOpened() throws Exception {
		try (LockClient<ZooKeeperLockProvider> client = LockClient.connect(server.connectString(),
				FaultScenario.SESSION_TIMEOUT, (curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			long session = client.sessionId();
			LockHandle holder = client.locks().acquire(LockRequest.of("refused").withWait(LONG));
			CompletableFuture<LockHandle> told = new CompletableFuture<>();
			holder.onLost(told::complete);
			ZooKeeper zooKeeper = client.curator().getZookeeperClient().getZooKeeper();
			zooKeeper.addAuthInfo("no-such-scheme", new byte[0]);
			assertThat(told.get(30, TimeUnit.SECONDS)).isSameAs(holder);
			assertThat(zooKeeper.getState()).isEqualTo(States.AUTH_FAILED);
			assertThat(holder.state()).isEqualTo(LockState.LOST);
			holder.release();
			LockHandle again = client.locks().acquire(LockRequest.of("refused").withWait(LONG));
			assertThat(again.isHeld()).isTrue();
			assertThat(client.sessionId()).isNotEqualTo(session);
			assertThat(server.isAlive(session)).as("the server keeps the old session, but not the node").isTrue();
			again.release();
		}
	}

	@Test
	void waitIsBoundedWhenTheServerDoesNotSpeakTls() throws Exception {
		ZKClientConfig tls = new ZKClientConfig();
		tls.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
		tls.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
		CuratorFramework curator = CuratorFrameworkFactory.builder()
			.connectString(server.connectString())
			.zkClientConfig(tls)
			.retryPolicy(new RetryOneTime(100))
			.build();
		curator.start();
		try (LockClient<ZooKeeperLockProvider> client = new LockClient<>(curator,
				ZooKeeperLockProvider.builder(curator).build())) {
			assertUnavailableInTime(client);
		}
	}

	@Test
	void waitIsBoundedWhenTheServerTakesNoMoreConnections() throws Exception {
		try (LockClient<ZooKeeperLockProvider> first = start()) {
			first.sessionId();
			server.limitConnections(1);
			try (LockClient<ZooKeeperLockProvider> second = start()) {
				assertUnavailableInTime(second);
				server.limitConnections(0);
				second.locks().acquire(LockRequest.of("bounded").withWait(LONG)).release();
			}
		}
		finally {
			server.limitConnections(0);
			Awaitility.await().until(() -> server.children("/locks/bounded").isEmpty());
		}
	}

	private static void assertUnavailableInTime(LockClient<ZooKeeperLockProvider> client) throws Exception {
		Waited.atLeast(SHORT,
				() -> assertThatExceptionOfType(LockUnavailableException.class)
					.isThrownBy(() -> client.locks().acquire(LockRequest.of("bounded").withWait(SHORT)))
					.withMessageContaining("check that it is up"));
	}

	private static LockClient<ZooKeeperLockProvider> start() {
		return LockClient.start(server.connectString(), FaultScenario.SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator).build());
	}

}
