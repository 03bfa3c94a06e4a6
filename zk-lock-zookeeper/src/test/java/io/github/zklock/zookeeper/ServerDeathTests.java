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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.Waited;
import io.github.zklock.support.ZooKeeperEnsemble;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Servers of an ensemble die. As long as a majority lives the locks outlive it, and
 * otherwise nobody waits for longer than asked for.
 */
@Tag("server")
class ServerDeathTests {

	private static final Duration WAIT = Duration.ofSeconds(60);

	private static final Duration LONG_SESSION = Duration.ofSeconds(30);

	private static final Duration SHORT_SESSION = Duration.ofSeconds(4);

	@RegisterExtension
	static final ZooKeeperEnsemble ensemble = new ZooKeeperEnsemble();

	@Test
	void holderAndWaiterKeepTheirPlacesWhenTheLeaderIsKilled() throws Exception {
		int leader = ensemble.leader();
		LockRequest request = LockRequest.of("leader").withWait(WAIT);
		try (LockClient<ZooKeeperLockProvider> client = connect(LONG_SESSION);
				LockClient<ZooKeeperLockProvider> rival = connect(LONG_SESSION)) {
			LockHandle holder = client.locks().acquire(request);
			long token = holder.fencingToken();
			CompletableFuture<LockHandle> waiting = rival.locks().acquireAsync(request);
			Awaitility.await().until(() -> queue(client).size() == 2);
			List<String> queue = queue(client);
			ensemble.server(leader).kill();
			ensemble.awaitReady();
			assertThat(ensemble.leader()).isNotEqualTo(leader);
			client.locks().acquire(LockRequest.of("another").withWait(WAIT)).release();
			Awaitility.await().until(holder::isHeld);
			assertThat(holder.fencingToken()).isEqualTo(token);
			assertThat(queue(client)).containsExactlyInAnyOrderElementsOf(queue);
			assertThat(waiting).isNotDone();
			holder.release();
			LockHandle next = waiting.get(WAIT.toSeconds(), TimeUnit.SECONDS);
			assertThat(next.fencingToken()).isGreaterThan(token);
			next.release();
		}
		finally {
			ensemble.server(leader).start();
			ensemble.awaitReady();
		}
	}

	@Test
	void waitIsBoundedAndLossIsToldWithoutAMajority() throws Exception {
		int first = ensemble.leader();
		int second = ensemble.another(first);
		Duration wait = Duration.ofSeconds(1);
		try (LockClient<ZooKeeperLockProvider> client = connect(SHORT_SESSION)) {
			LockHandle holder = client.locks().acquire(LockRequest.of("majority").withWait(WAIT));
			CompletableFuture<LockHandle> told = new CompletableFuture<>();
			holder.onLost(told::complete);
			ensemble.server(first).kill();
			ensemble.server(second).kill();
			Waited.atLeast(wait, () -> assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> client.locks().acquire(LockRequest.of("other").withWait(wait))));
			assertThat(told.get(WAIT.toSeconds(), TimeUnit.SECONDS)).isSameAs(holder);
			assertThat(holder.state()).isEqualTo(LockState.LOST);
			holder.release();
			ensemble.server(first).start();
			ensemble.server(second).start();
			client.locks().acquire(LockRequest.of("majority").withWait(WAIT)).release();
		}
		finally {
			ensemble.awaitReady();
		}
	}

	private static List<String> queue(LockClient<?> client) throws Exception {
		return client.curator().getChildren().forPath("/locks/leader");
	}

	private static LockClient<ZooKeeperLockProvider> connect(Duration sessionTimeout) {
		return LockClient.connect(ensemble.connectString(), sessionTimeout,
				(curator) -> ZooKeeperLockProvider.builder(curator).serverTick(ensemble.tick()).build());
	}

}
