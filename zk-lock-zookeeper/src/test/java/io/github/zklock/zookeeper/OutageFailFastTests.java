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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.CuratorFramework;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Requests are refused once an outage is known for the set time. A request that waited
 * would make these tests run into their timeouts.
 */
@Tag("server")
class OutageFailFastTests {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final Duration SESSION = Duration.ofSeconds(20);

	private static final LockRequest REQUEST = LockRequest.of("wanted").withWait(Duration.ofHours(1));

	private static final String REASON = "there is no connection to ZooKeeper";

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void waitingAndNewRequestsAreRefusedUntilTheConnectionIsBack() {
		try (LockClient<ZooKeeperLockProvider> client = connect(Duration.ofMillis(300))) {
			LockHandle holder = client.locks().acquire(REQUEST.withOwner("holder"));
			CompletableFuture<LockHandle> waiting = client.locks().acquireAsync(REQUEST);
			server.stop();
			assertThat(waiting).failsWithin(PATIENCE)
				.withThrowableOfType(ExecutionException.class)
				.withCauseInstanceOf(LockUnavailableException.class)
				.withMessageContaining(REASON);
			for (int i = 0; i < 5; i++) {
				assertThatExceptionOfType(LockUnavailableException.class)
					.isThrownBy(() -> client.locks().acquire(REQUEST.withOwner("another")))
					.withMessageContaining(REASON);
			}
			server.start();
			holder.release();
			Awaitility.await()
				.atMost(PATIENCE)
				.ignoreExceptionsInstanceOf(LockUnavailableException.class)
				.untilAsserted(() -> client.locks().acquire(REQUEST).release());
			Awaitility.await()
				.atMost(PATIENCE)
				.untilAsserted(() -> assertThat(server.children(client.locks().pathOf("wanted"))).isEmpty());
		}
	}

	@Test
	void applicationThatWasNeverConnectedDoesNotWaitEither() {
		server.stop();
		try (LockClient<ZooKeeperLockProvider> client = LockClient.start(server.connectString(), SESSION,
				(curator) -> provider(curator, Duration.ofMillis(300)))) {
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> client.locks().acquire(REQUEST))
				.withMessageContaining(REASON);
			server.start();
			Awaitility.await()
				.atMost(PATIENCE)
				.ignoreExceptionsInstanceOf(LockUnavailableException.class)
				.untilAsserted(() -> client.locks().acquire(REQUEST).release());
		}
	}

	@Test
	void shortInterruptionRefusesNothing() {
		try (LockClient<ZooKeeperLockProvider> client = connect(Duration.ofHours(1))) {
			client.locks().acquire(REQUEST).release();
			server.stop();
			Awaitility.await().atMost(PATIENCE).until(() -> !client.curator().getZookeeperClient().isConnected());
			CompletableFuture<LockHandle> waiting = client.locks().acquireAsync(REQUEST);
			server.start();
			assertThat(waiting).succeedsWithin(PATIENCE).satisfies(LockHandle::release);
		}
	}

	@Test
	void shortInterruptionRefusesNothingAlthoughTheClientWasConnectedBeforeTheProvider() throws Exception {
		EngineClock clock = new EngineClock();
		Duration bound = Duration.ofHours(1);
		try (LockClient<?> connected = LockClient.connect(server.connectString(), SESSION,
				(curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			assertThat(connected.curator().blockUntilConnected(1, TimeUnit.MINUTES)).isTrue();
			try (ZooKeeperLockProvider locks = clock
				.build(ZooKeeperLockProvider.builder(connected.curator()).outageFailFast(bound))) {
				clock.forward(bound.multipliedBy(2));
				server.stop();
				Awaitility.await()
					.atMost(PATIENCE)
					.until(() -> !connected.curator().getZookeeperClient().isConnected());
				CompletableFuture<LockHandle> waiting = locks.acquireAsync(REQUEST);
				server.start();
				assertThat(waiting).succeedsWithin(PATIENCE).satisfies(LockHandle::release);
			}
		}
	}

	@Test
	void timeMustBeGreaterThanZero() {
		assertThatIllegalArgumentException().isThrownBy(() -> connect(Duration.ZERO))
			.withMessageContaining("outageFailFast");
	}

	private static LockClient<ZooKeeperLockProvider> connect(Duration outageFailFast) {
		return LockClient.connect(server.connectString(), SESSION, (curator) -> provider(curator, outageFailFast));
	}

	private static ZooKeeperLockProvider provider(CuratorFramework client, Duration outageFailFast) {
		return ZooKeeperLockProvider.builder(client).outageFailFast(outageFailFast).build();
	}

}
