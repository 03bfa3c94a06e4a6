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
import java.util.Map;
import java.util.UUID;

import io.github.zklock.core.LockRequest;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.node.LockPaths;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a lock that nobody else wants asks of ZooKeeper, with and without a time to keep
 * its key.
 */
@Tag("server")
class AtLeastCostTests {

	private static final Map<ZooKeeperOperation, Long> WARM = Map.of(ZooKeeperOperation.CREATE, 1L,
			ZooKeeperOperation.GET_CHILDREN, 1L, ZooKeeperOperation.DELETE, 1L);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final FaultProxy network = new FaultProxy(server);

	// A stamp that is confirmed late is replaced.
	@AutoClose
	private final LockClient<ZooKeeperLockProvider> client = LockClient.connect(this.network.connectString(),
			Duration.ofSeconds(20), (curator) -> EngineClock.standStill(ZooKeeperLockProvider.builder(curator)));

	private final LockRequest request = LockRequest.of(UUID.randomUUID().toString());

	@Test
	void lockWithoutSuchATimePaysNothing() {
		// Creates the root as well.
		cost(LockRequest.of(UUID.randomUUID().toString()));
		assertThat(cost(this.request)).as("cold key")
			.isEqualTo(Map.of(ZooKeeperOperation.CREATE_CONTAINER, 1L, ZooKeeperOperation.CREATE, 1L,
					ZooKeeperOperation.GET_CHILDREN, 1L, ZooKeeperOperation.DELETE, 1L));
		assertThat(cost(this.request)).as("warm key").isEqualTo(WARM);
		assertThat(cost(this.request.withLockAtLeastFor(Duration.ofMillis(20)))).as("with a time to keep it")
			.isEqualTo(Map.of(ZooKeeperOperation.CREATE, 2L, ZooKeeperOperation.GET_CHILDREN, 2L,
					ZooKeeperOperation.DELETE, 2L));
		assertThat(cost(this.request)).as("warm key that was kept").isEqualTo(WARM);
	}

	private Map<ZooKeeperOperation, Long> cost(LockRequest request) {
		Map<ZooKeeperOperation, Long> before = this.network.requests().counts(request.key());
		this.client.locks().acquire(request).release();
		Awaitility.await()
			.pollInterval(Duration.ofMillis(5))
			.until(() -> server.children("/locks/" + LockPaths.encode(request.key())).isEmpty());
		Map<ZooKeeperOperation, Long> counts = this.network.requests().counts(request.key());
		before.forEach((operation, count) -> counts.merge(operation, -count, Long::sum));
		counts.values().removeIf((count) -> count == 0);
		return counts;
	}

}
