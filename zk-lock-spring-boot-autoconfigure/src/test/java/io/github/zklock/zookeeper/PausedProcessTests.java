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

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.JavaProcess;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process that was paused for longer than its session lives knows at its first look
 * that it holds nothing any more. Nobody can keep it from acting before that look.
 */
class PausedProcessTests {

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void firstLookAfterThePauseSaysThatTheLockIsLost() {
		Duration wait = Duration.ofSeconds(30);
		try (JavaProcess holder = JavaProcess.start(HolderProcess.class.getName(), List.of(), server.connectString(),
				Long.toString(SESSION_TIMEOUT.toMillis()), Long.toString(ZooKeeperServerFixture.TICK.toMillis()),
				"paused");
				LockClient<ZooKeeperLockProvider> rival = LockClient.connect(server.connectString(),
						FaultScenario.SESSION_TIMEOUT, (curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			holder.awaitLine("HOLDS");
			// Heartbeats are sent, so one may be on its way.
			Awaitility.await().until(() -> !server.children("/locks/~sessions").isEmpty());
			holder.pause();
			LockHandle next = rival.locks().acquire(LockRequest.of("paused").withWait(wait));
			holder.resume();
			assertThat(holder.awaitLine("RESUMED")).isEqualTo("RESUMED LOST");
			assertThat(next.isValid()).isTrue();
			next.release();
		}
	}

}
