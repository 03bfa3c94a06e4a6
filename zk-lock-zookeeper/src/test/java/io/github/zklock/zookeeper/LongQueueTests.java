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
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many nodes wait in the queue of one key, and the client takes answers of a limited size
 * only: a list that is longer would end its connection.
 */
@Tag("server")
class LongQueueTests {

	private static final int WAITERS = 250;

	// The names of Curator's recipes take 63 bytes each in such a list.
	private static final int BYTES_PER_WAITER = 40;

	private static final Duration WAIT = Duration.ofMinutes(2);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final Queue<ConnectionState> states = new ConcurrentLinkedQueue<>();

	@Test
	void eachWaiterTakesSoFewBytesInTheListOfItsKey() throws Exception {
		try (LockClient<ZooKeeperLockProvider> client = connect(WAITERS * BYTES_PER_WAITER)) {
			client.sessionId();
			List<CompletableFuture<Void>> waiters = new ArrayList<>();
			LockHandle holder = client.locks().acquire(LockRequest.of("long").withWait(WAIT));
			client.curator().getConnectionStateListenable().addListener((curator, state) -> this.states.add(state));
			for (int i = 1; i < WAITERS; i++) {
				waiters.add(client.locks()
					.acquireAsync(LockRequest.of("long").withWait(WAIT))
					.thenCompose((handle) -> handle.releaseAsync()));
			}
			Awaitility.await()
				.atMost(WAIT)
				.untilAsserted(() -> assertThat(server.children("/locks/long")).hasSize(WAITERS));
			assertThat(client.curator().getChildren().forPath("/locks/long")).hasSize(WAITERS);
			holder.release();
			CompletableFuture.allOf(waiters.toArray(CompletableFuture[]::new)).get(WAIT.toSeconds(), TimeUnit.SECONDS);
			// The first connection may still be reported.
			assertThat(this.states).as("changes of the connection").doesNotContain(ConnectionState.SUSPENDED);
		}
	}

	private static LockClient<ZooKeeperLockProvider> connect(int longestAnswer) {
		ZKClientConfig config = new ZKClientConfig();
		config.setProperty(ZKConfig.JUTE_MAXBUFFER, Integer.toString(longestAnswer));
		CuratorFramework curator = CuratorFrameworkFactory.builder()
			.connectString(server.connectString())
			.zkClientConfig(config)
			.retryPolicy(new RetryOneTime(100))
			.build();
		curator.start();
		return new LockClient<>(curator, ZooKeeperLockProvider.builder(curator).fairness(Fairness.STRICT).build());
	}

}
