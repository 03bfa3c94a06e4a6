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

import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.EngineParts;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A thread that stands still between the grant of its lock and the use of it.
 */
@Tag("server")
class LateHolderTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void lockThatIsLostBeforeItsThreadGoesOnIsNotUsed() throws Exception {
		try (CuratorFramework client = CuratorFrameworkFactory.newClient(server.connectString(),
				new RetryOneTime(100))) {
			client.start();
			client.blockUntilConnected();
			EngineParts engine = EngineParts.start(client, "/late");
			LockRequest request = LockRequest.of("key").withWait(Duration.ofSeconds(30));
			LockAttempt attempt = new LockAttempt(engine.tracker(), engine.tasks(), engine.paths(), request,
					() -> new byte[0], Duration.ofSeconds(1));
			engine.queues().enter(attempt);
			ZooKeeperLockHandle granted = attempt.verdict().get().handleOrThrow();
			assertThat(granted.state()).isEqualTo(LockState.HELD);
			long session = client.getZookeeperClient().getZooKeeper().getSessionId();
			server.killSession(session);
			Awaitility.await().until(() -> granted.state() == LockState.LOST);
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(attempt::await)
				.withMessageContaining("it was lost before it could be used");
			assertThat(engine.held().lossCount()).as("locks of which a loss was told").isZero();
			engine.shutdown();
			// Curator leaves a client open if it is closed while it opens another one.
			Awaitility.await()
				.ignoreExceptions()
				.until(() -> client.getZookeeperClient().getZooKeeper().getSessionId(),
						(id) -> id != 0 && id != session);
		}
	}

}
