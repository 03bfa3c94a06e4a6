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
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An {@link Error} that hits a thread while it waits for a lock.
 */
@Tag("server")
class StoppedWaiterTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	// There is no other way to have an error thrown there; later JVMs refuse this one.
	@Test
	@EnabledForJreRange(max = JRE.JAVA_19)
	@SuppressWarnings("removal")
	void lockIsNotGrantedToAThreadThatAnErrorHasHitWhileItWaited() throws Exception {
		try (LockClient<ZooKeeperLockProvider> holder = LockClient.connect(server.connectString(), WAIT,
				(curator) -> ZooKeeperLockProvider.builder(curator).build());
				LockClient<ZooKeeperLockProvider> client = LockClient.connect(server.connectString(), WAIT,
						(curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			LockRequest request = LockRequest.of("stopped").withWait(WAIT);
			LockHandle held = holder.locks().acquire(request);
			Thread waiter = new Thread(() -> client.locks().acquire(request.withWait(LockRequest.FOREVER)));
			waiter.setUncaughtExceptionHandler((thread, error) -> {
			});
			waiter.start();
			Awaitility.await().until(() -> server.children("/locks/stopped").size() == 2);
			waiter.stop();
			waiter.join(TimeUnit.SECONDS.toMillis(10));
			held.release();
			LockHandle next = holder.locks().acquire(request);
			assertThat(next.isHeld()).isTrue();
			next.release();
			Awaitility.await().untilAsserted(() -> assertThat(server.children("/locks/stopped")).isEmpty());
			assertThat(client.locks().heldLocks()).isZero();
		}
	}

}
