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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.tasks.EngineThreads;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * For a moment the machine has no thread to spare: what was to run on one runs as soon as
 * there is one.
 */
@Tag("server")
class ThreadShortageTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final AtomicInteger shortage = new AtomicInteger();

	private final AtomicInteger refused = new AtomicInteger();

	private LockClient<ZooKeeperLockProvider> client;

	@BeforeEach
	void connect() {
		this.client = LockClient.connect(server.connectString(), Duration.ofSeconds(10), (curator) -> {
			EngineThreads tasks = new EngineThreads(this::threads, EngineThreads.CALLBACK_THREADS);
			return ZooKeeperLockProvider.builder(curator).tasks(tasks).build();
		});
	}

	@AfterEach
	void disconnect() {
		this.client.close();
	}

	@Test
	void asynchronousLockIsGrantedAndReleasedWhenThereAreThreadsAgain() throws Exception {
		this.shortage.set(3);
		LockHandle handle = acquire("granted").get(WAIT.toSeconds(), TimeUnit.SECONDS);
		assertThat(handle.isHeld()).isTrue();
		assertThat(this.refused).hasValueGreaterThanOrEqualTo(3);
		handle.release();
		Awaitility.await().untilAsserted(() -> assertThat(server.children("/locks/granted")).isEmpty());
	}

	@Test
	void lossIsToldWhenThereAreThreadsAgain() throws Exception {
		LockHandle handle = this.client.locks().acquire(LockRequest.of("lost").withWait(WAIT));
		CountDownLatch told = new CountDownLatch(1);
		handle.onLost((lost) -> told.countDown());
		this.shortage.set(3);
		this.client.giveUpSession();
		assertThat(told.await(WAIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
	}

	private CompletableFuture<LockHandle> acquire(String key) {
		return this.client.locks().acquireAsync(LockRequest.of(key).withWait(WAIT));
	}

	private ThreadFactory threads(String purpose) {
		ThreadFactory threads = EngineThreads.daemons("zk-lock-" + purpose + "-");
		return purpose.equals("timer") ? threads : failing(threads);
	}

	private ThreadFactory failing(ThreadFactory threads) {
		return (task) -> {
			if (this.shortage.getAndUpdate((left) -> Math.max(left - 1, 0)) > 0) {
				this.refused.incrementAndGet();
				throw new OutOfMemoryError("unable to create native thread (injected)");
			}
			return threads.newThread(task);
		};
	}

}
