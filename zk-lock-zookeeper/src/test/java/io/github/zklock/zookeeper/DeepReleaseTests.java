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
import java.util.concurrent.atomic.AtomicReference;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.tasks.StackRoom;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lock is released where the stack has no room for that: another thread does it.
 */
@Tag("server")
class DeepReleaseTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	private static final LockRequest REQUEST = LockRequest.of("deep").withWait(WAIT).withCache(true);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final EngineClock clock = new EngineClock();

	private LockClient<ZooKeeperLockProvider> client;

	@BeforeEach
	void connect() {
		this.client = LockClient.connect(server.connectString(), Duration.ofSeconds(40),
				(curator) -> this.clock.build(ZooKeeperLockProvider.builder(curator)));
	}

	@AfterEach
	void disconnect() {
		this.client.close();
	}

	@Test
	void lockOfALongBodyIsReleasedByAnotherThread() throws Exception {
		LockHandle handle = cached();
		this.clock.forward(Duration.ofMillis(1100));
		releaseDeepDown(handle);
		this.client.locks().acquire(REQUEST).release();
	}

	@Test
	void lockThatIsNotCachedIsHandedOnAndItsNodeDeletedLater() throws Exception {
		LockRequest request = REQUEST.withCache(false);
		LockHandle handle = this.client.locks().acquire(request);
		CompletableFuture<LockHandle> next = this.client.locks().acquireAsync(request);
		Awaitility.await().atMost(WAIT).until(() -> this.client.locks().snapshot().waiting().size() == 1);
		releaseDeepDown(handle);
		releaseDeepDown(next.get(WAIT.toSeconds(), TimeUnit.SECONDS));
		Awaitility.await().atMost(WAIT).untilAsserted(() -> assertThat(server.children("/locks/deep")).isEmpty());
	}

	private LockHandle cached() {
		this.client.locks().acquire(REQUEST).release();
		LockHandle handle = this.client.locks().acquire(REQUEST);
		assertThat(this.client.locks().engine.cache.size()).isOne();
		return handle;
	}

	private static void releaseDeepDown(LockHandle handle) throws InterruptedException {
		AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
		Thread thread = new Thread(null, () -> releaseWithoutRoom(handle), "deep", 512 * 1024L, false);
		thread.setUncaughtExceptionHandler((deep, ex) -> failure.set(ex));
		thread.start();
		thread.join();
		assertThat(failure).hasValue(null);
		Awaitility.await().atMost(WAIT).until(() -> handle.state() == LockState.RELEASED);
	}

	private static void releaseWithoutRoom(LockHandle handle) {
		if (StackRoom.isLeft(StackRoom.MANY)) {
			releaseWithoutRoom(handle);
		}
		else {
			handle.release();
		}
	}

}
