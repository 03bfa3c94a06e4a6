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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client that gives up one session after the other answers requests on whatever thread
 * it likes, under locks of its own. Nobody may hang for that.
 */
@Tag("server")
class SessionStormTests {

	private static final int THREADS = 8;

	private static final int SESSIONS = 100;

	private static final int FEWEST_SESSIONS = 11;

	private static final Duration WAIT = Duration.ofSeconds(2);

	private static final Duration STORM = Duration.ofSeconds(8);

	// In a storm the threads get in each other's way, but no request may hang.
	private static final Duration PATIENCE = Duration.ofMinutes(2);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, (task) -> {
		Thread thread = new Thread(task, "storm");
		thread.setDaemon(true);
		return thread;
	});

	private final AtomicBoolean over = new AtomicBoolean();

	private final AtomicInteger granted = new AtomicInteger();

	@AfterEach
	void stop() {
		this.threads.shutdownNow();
	}

	@Test
	void noRequestHangsAndNothingIsLeftWhenSessionsEndOneAfterTheOther() {
		LockClient<ZooKeeperLockProvider> client = LockClient.connect(server.connectString(),
				FaultScenario.SESSION_TIMEOUT, (curator) -> ZooKeeperLockProvider.builder(curator).build());
		List<CompletableFuture<Void>> users = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			LockRequest request = LockRequest.of("storm-" + i % 2)
				.withMode((i % 4 == 0) ? LockMode.READ : LockMode.EXCLUSIVE)
				.withWait(WAIT);
			users.add(CompletableFuture.runAsync(() -> use(client, request), this.threads));
		}
		endSessions(client);
		this.over.set(true);
		assertThat(CompletableFuture.allOf(users.toArray(CompletableFuture[]::new))).succeedsWithin(PATIENCE);
		Awaitility.await().atMost(FaultScenario.PATIENCE).untilAsserted(() -> {
			assertThat(server.children("/locks/storm-0")).isEmpty();
			assertThat(server.children("/locks/storm-1")).isEmpty();
			assertThat(client.locks().pendingDeletes()).isZero();
			assertThat(client.locks().heldLocks()).isZero();
		});
		client.close();
	}

	private void endSessions(LockClient<ZooKeeperLockProvider> client) {
		long end = System.nanoTime() + STORM.toNanos();
		for (int i = 0; i < FEWEST_SESSIONS || (i < SESSIONS && System.nanoTime() < end); i++) {
			int before = this.granted.get();
			client.sessionId();
			Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> this.granted.get() > before);
			client.giveUpSession();
		}
	}

	private void use(LockClient<ZooKeeperLockProvider> client, LockRequest request) {
		while (!this.over.get()) {
			try {
				var handle = client.locks().acquire(request);
				this.granted.incrementAndGet();
				handle.release();
			}
			catch (LockNotAcquiredException | LockUnavailableException ex) {
				// The next one may be granted.
			}
		}
	}

}
