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
import io.github.zklock.core.LockLoss;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A provider can be shut down without a thread that waits for it.
 */
@Tag("server")
class ProviderShutdownTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private CuratorFramework client;

	private ZooKeeperLockProvider locks;

	@BeforeEach
	void connect() {
		this.client = CuratorFrameworkFactory.newClient(server.connectString(), new RetryForever(50));
		this.client.start();
		this.locks = ZooKeeperLockProvider.builder(this.client).build();
	}

	@AfterEach
	void disconnect() {
		this.locks.close();
		this.client.close();
	}

	@Test
	void endsWhenTheLastLockIsReleased() throws Exception {
		LockHandle held = acquire("released");
		CompletableFuture<?> end = AsyncShutdown.of(this.locks.engine, Duration.ofDays(1));
		assertThat(held.isHeld()).isTrue();
		assertThat(end).isNotDone();
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> acquire("another"))
			.withMessageContaining("the lock provider is closed");
		held.release();
		end.get(WAIT.toSeconds(), TimeUnit.SECONDS);
		assertThat(held.loss()).isNull();
		assertThat(server.children("/locks/released")).isEmpty();
	}

	@Test
	void takesAwayWhatIsHeldForLongerThanItMayBe() throws Exception {
		LockHandle held = acquire("kept");
		AsyncShutdown.of(this.locks.engine, Duration.ZERO).get(WAIT.toSeconds(), TimeUnit.SECONDS);
		assertThat(held.state()).isEqualTo(LockState.LOST);
		assertThat(held.loss()).isEqualTo(LockLoss.SHUT_DOWN);
		assertThat(server.children("/locks/kept")).isEmpty();
	}

	@Test
	void happensOnlyOnce() {
		LockHandle held = acquire("once");
		AsyncShutdown.of(this.locks.engine, Duration.ofDays(1));
		assertThat(AsyncShutdown.of(this.locks.engine, Duration.ZERO)).isDone();
		this.locks.close();
		assertThat(held.isHeld()).isTrue();
		held.release();
	}

	private LockHandle acquire(String key) {
		return this.locks.acquire(LockRequest.of(key).withWait(WAIT));
	}

}
