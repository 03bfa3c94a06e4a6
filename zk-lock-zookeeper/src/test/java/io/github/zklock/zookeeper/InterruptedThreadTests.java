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

import io.github.zklock.core.LockInterruptedException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.AcquireContext;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.local.LockAttempt;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An interrupted thread gets no lock, also if that was granted before the thread came to
 * wait for it.
 */
@Tag("server")
class InterruptedThreadTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void lockThatWasGrantedInTheMeantimeIsGivenBack() {
		try (FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT)) {
			LockRequest request = scenario.request(Duration.ofSeconds(30));
			ZooKeeperLockProvider locks = (ZooKeeperLockProvider) scenario.victim().locks();
			LockAttempt attempt = locks.beginAttempt(request, AcquireContext.NONE);
			Awaitility.await().until(() -> attempt.verdict().isDone());
			Thread.currentThread().interrupt();
			assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(attempt::await);
			assertThat(Thread.interrupted()).isTrue();
			scenario.rival().locks().acquire(request).release();
		}
	}

}
