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

package io.github.zklock.zookeeper.local;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.FaultScenario;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Single tries of one process for one key at the same time.
 */
@Tag("server")
class LocalTryTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void tryBehindAnotherThatIsUnderWayIsNotAcquired() {
		try (FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT)) {
			for (int i = 0; i < 50; i++) {
				LockRequest request = LockRequest.of("try-" + i).withWait(Duration.ZERO);
				CompletableFuture<LockHandle> first = scenario.victim().locks().acquireAsync(request);
				assertThatExceptionOfType(LockNotAcquiredException.class)
					.isThrownBy(() -> scenario.victim().locks().acquire(request));
				first.join().release();
			}
		}
	}

	@Test
	void tryOfAReaderBesideAReaderIsGranted() {
		try (FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT)) {
			LockRequest read = LockRequest.of("read").withMode(LockMode.READ);
			LockHandle first = scenario.victim().locks().acquireAsync(read).join();
			LockHandle second = scenario.victim().locks().acquire(read.withWait(Duration.ZERO));
			assertThat(first.isHeld() && second.isHeld()).isTrue();
			first.release();
			second.release();
		}
	}

	@Test
	void readerWithoutAnAnswerIsNotRefusedForAReaderOfItsProcess() {
		try (FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT)) {
			LockRequest read = LockRequest.of("read").withMode(LockMode.READ);
			LockHandle first = scenario.victim().locks().acquireAsync(read).join();
			// A reader that comes later asks for a place of its own.
			Awaitility.await().pollDelay(Duration.ofMillis(1100)).until(first::isHeld);
			scenario.network().blackhole();
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> scenario.victim().locks().acquire(read.withWait(Duration.ofMillis(300))));
			scenario.network().heal();
			first.release();
		}
	}

}
