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
import java.util.List;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.FreePorts;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockStatus;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockStatus.Connection;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockStatus.Session;
import io.github.zklock.zookeeper.session.AuthenticationFailures;
import io.github.zklock.zookeeper.session.SessionMark;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a provider tells of itself without asking ZooKeeper.
 */
@Tag("server")
class ZooKeeperLockStatusTests {

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	private static final LockRequest REQUEST = LockRequest.of("status").withWait(Duration.ofSeconds(30));

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void leaseIsToldWhileALockIsHeld() {
		try (LockClient<ZooKeeperLockProvider> client = connect(server.connectString())) {
			ZooKeeperLockStatus idle = client.locks().status();
			// By the name of its address, if that has one.
			assertThat(idle.server()).isIn("127.0.0.1:" + server.port(), "localhost:" + server.port());
			assertThat(idle).isEqualTo(new ZooKeeperLockStatus(Connection.CONNECTED, idle.server(),
					new Session(SessionMark.of(client.sessionId()), TIMEOUT, LockState.HELD, null), 0, 0, null, null,
					List.of()));
			LockHandle lock = client.locks().acquire(REQUEST);
			ZooKeeperLockStatus busy = client.locks().status();
			assertThat(busy.heldLocks()).isOne();
			assertThat(busy.session().state()).isEqualTo(LockState.HELD);
			assertThat(busy.session().leaseLeft()).isPositive().isLessThan(TIMEOUT);
			lock.release();
			Awaitility.await().untilAsserted(() -> assertThat(client.locks().status()).isEqualTo(idle));
		}
	}

	@Test
	void statusFollowsTheConnection() {
		LockClient<ZooKeeperLockProvider> client = connect(server.connectString());
		try (client) {
			server.stop();
			try {
				awaitConnection(client, Connection.DISCONNECTED);
				assertThat(client.locks().status().server()).isNull();
				assertThat(client.locks().status().session().state()).isEqualTo(LockState.UNCERTAIN);
			}
			finally {
				server.start();
			}
			awaitConnection(client, Connection.CONNECTED);
		}
		assertThat(client.locks().status().connection()).isEqualTo(Connection.CLOSED);
	}

	@Test
	void silentServerIsNotAsked() {
		try (FaultProxy network = new FaultProxy(server);
				LockClient<ZooKeeperLockProvider> client = connect(network.connectString())) {
			network.blackhole();
			// A request would not come back before the connection is given up.
			assertThat(client.locks().status().connection()).isEqualTo(Connection.CONNECTED);
			network.heal();
		}
	}

	@Test
	void clientIsConnectingUntilItsTimeIsOver() {
		String nowhere = "127.0.0.1:" + FreePorts.next();
		try (LockClient<ZooKeeperLockProvider> client = LockClient.start(nowhere, TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			assertThat(client.locks().status())
				.isEqualTo(new ZooKeeperLockStatus(Connection.CONNECTING, null, null, 0, 0, null, null, List.of()));
			awaitConnection(client, Connection.DISCONNECTED);
		}
	}

	@Test
	void refusedAuthenticationIsTheProblem() throws Exception {
		try (LockClient<ZooKeeperLockProvider> client = connect(server.connectString())) {
			client.curator().getZookeeperClient().getZooKeeper().addAuthInfo("no-such-scheme", new byte[0]);
			Awaitility.await().untilAsserted(() -> {
				ZooKeeperLockStatus status = client.locks().status();
				assertThat(status.connection()).isEqualTo(Connection.DISCONNECTED);
				assertThat(status.problem()).isEqualTo(AuthenticationFailures.PROBLEM);
			});
			awaitConnection(client, Connection.CONNECTED);
		}
	}

	@ParameterizedTest
	@CsvSource(nullValues = "null",
			value = { "remoteserver:zk1.example/10.0.0.1:2181 lastZxid:1, zk1.example:2181",
					"remoteserver:/10.0.0.1:2181 lastZxid:1, 10.0.0.1:2181",
					"remoteserver:/[0:0:0:0:0:0:0:1]:2181, " + "[0:0:0:0:0:0:0:1]:2181",
					"remoteserver:null lastZxid:1, null", "something else, null" })
	void serverIsThatOfTheClientsDescription(String client, String server) {
		assertThat(EngineStatus.server(client)).isEqualTo(server);
	}

	private static LockClient<ZooKeeperLockProvider> connect(String connectString) {
		LockClient<ZooKeeperLockProvider> client = LockClient.connect(connectString, TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator).build());
		awaitConnection(client, Connection.CONNECTED);
		return client;
	}

	private static void awaitConnection(LockClient<ZooKeeperLockProvider> client, Connection connection) {
		Awaitility.await().until(() -> client.locks().status().connection() == connection);
	}

}
