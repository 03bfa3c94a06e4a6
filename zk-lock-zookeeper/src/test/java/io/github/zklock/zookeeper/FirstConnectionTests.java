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
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Non-blocking attempts while the first connection of their client is being made.
 */
@Tag("server")
class FirstConnectionTests {

	// Enough for a request on a busy machine.
	private static final Duration WAIT = Duration.ofSeconds(30);

	private static final int LONG_MILLIS = 60_000;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final FaultProxy network = new FaultProxy(server);

	@Test
	void attemptWaitsForTheFirstConnection() throws Exception {
		this.network.refuse();
		try (LockClient<ZooKeeperLockProvider> client = start(LONG_MILLIS)) {
			CompletableFuture<LockHandle> attempt = client.locks().acquireAsync(attempt("late"));
			CompletableFuture<LockHandle> blocking = CompletableFuture
				.supplyAsync(() -> client.locks().acquire(attempt("late-too")));
			assertThat(attempt).isNotDone();
			this.network.heal();
			attempt.get(LONG_MILLIS, TimeUnit.MILLISECONDS).release();
			blocking.get(LONG_MILLIS, TimeUnit.MILLISECONDS).release();
		}
	}

	@Test
	void attemptAtSeveralKeysWaitsForTheFirstConnection() throws Exception {
		this.network.refuse();
		try (LockClient<ZooKeeperLockProvider> client = start(LONG_MILLIS)) {
			List<LockRequest> attempts = List.of(attempt("several-1"), attempt("several-2"));
			CompletableFuture<LockHandle> both = new LockTemplate(client.locks()).acquireAsync(attempts);
			assertThat(both).isNotDone();
			this.network.heal();
			both.get(LONG_MILLIS, TimeUnit.MILLISECONDS).release();
		}
	}

	@Test
	void firstTickAfterAStartRuns() throws Exception {
		Instant two = Instant.parse("2026-10-05T02:00:00Z");
		this.network.refuse();
		try (LockClient<ZooKeeperLockProvider> client = start(LONG_MILLIS)) {
			CompletableFuture<LockHandle> run = client.locks()
				.acquireAsync(attempt("job").withTick(LockTick.at("Jobs.first", two)));
			assertThat(run).isNotDone();
			this.network.heal();
			run.get(LONG_MILLIS, TimeUnit.MILLISECONDS).release();
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> client.locks().acquire(attempt("job").withTick(LockTick.at("Jobs.first", two))))
				.withMessageContaining("has run already");
		}
	}

	@Test
	void attemptIsRefusedWhenTheTimeForTheFirstConnectionIsOver() {
		this.network.refuse();
		try (LockClient<ZooKeeperLockProvider> client = start(200)) {
			assertRefused(client.locks());
			assertRefused(client.locks());
		}
	}

	@Test
	void attemptIsRefusedAtOnceInALaterInterruption() throws Exception {
		try (LockClient<ZooKeeperLockProvider> client = start(LONG_MILLIS)) {
			LockHandle witness = client.locks()
				.acquireAsync(attempt("witness"))
				.get(LONG_MILLIS, TimeUnit.MILLISECONDS);
			this.network.refuse();
			Awaitility.await().until(() -> !witness.isHeld());
			assertRefused(client.locks());
		}
	}

	private static void assertRefused(LockProvider locks) {
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> locks.acquire(attempt("refused")))
			.withMessageContaining("there is no connection to ZooKeeper");
	}

	private static LockRequest attempt(String key) {
		return LockRequest.of(key).withWait(Duration.ZERO);
	}

	private LockClient<ZooKeeperLockProvider> start(int connectionTimeoutMillis) {
		Duration tryTimeout = (connectionTimeoutMillis == LONG_MILLIS) ? WAIT : Duration.ofMillis(500);
		CuratorFramework curator = CuratorFrameworkFactory.builder()
			.connectString(this.network.connectString())
			.sessionTimeoutMs(10_000)
			.connectionTimeoutMs(connectionTimeoutMillis)
			.retryPolicy(new RetryOneTime(100))
			.build();
		curator.start();
		return new LockClient<>(curator,
				ZooKeeperLockProvider.builder(curator)
					.serverTick(ZooKeeperServerFixture.TICK)
					.tryTimeout(tryTimeout)
					.build());
	}

}
