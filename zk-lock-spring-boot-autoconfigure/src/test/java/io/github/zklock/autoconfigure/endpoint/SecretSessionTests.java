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

package io.github.zklock.autoconfigure.endpoint;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.endpoint.ZkLockEndpoint;
import io.github.zklock.health.LockHealth;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The id of a session is enough to end it, so no answer and no line of the log has one.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class SecretSessionTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final Set<Long> sessions = new HashSet<>();

	@Test
	void noAnswerAndNoLineOfTheLogHasTheIdOfASession(CapturedOutput output) {
		try (LockClient<ZooKeeperLockProvider> one = client(); LockClient<ZooKeeperLockProvider> other = client()) {
			LockHandle held = one.locks().acquire(LockRequest.of("a"));
			remember(one, other);
			assertThat(answers(one)).contains("session=" + one.locks().status().session().mark())
				.satisfies(this::hasNone);
			assertThat(answers(other)).contains("session=" + one.locks().status().session().mark())
				.satisfies(this::hasNone);
			server.killSession(one.sessionId());
			Awaitility.await().until(() -> held.state() == LockState.LOST);
			remember(one, other);
			other.locks().acquire(LockRequest.of("a")).release();
			one.awaitConnected();
			assertThat(answers(one)).satisfies(this::hasNone);
		}
		assertThat(output.toString()).contains("is lost").satisfies(this::hasNone);
	}

	private static LockClient<ZooKeeperLockProvider> client() {
		return LockClient.connect(server.connectString(), Duration.ofSeconds(20),
				(curator) -> ZooKeeperLockProvider.builder(curator).tryTimeout(Duration.ofSeconds(30)).build());
	}

	@SafeVarargs
	private void remember(LockClient<ZooKeeperLockProvider>... clients) {
		for (LockClient<ZooKeeperLockProvider> client : clients) {
			this.sessions.add(client.sessionId());
		}
	}

	private static String answers(LockClient<ZooKeeperLockProvider> client) {
		ZooKeeperLockProvider locks = client.locks();
		ZkLockEndpoint endpoint = new ZkLockEndpoint(Map.of("default", locks), List::of, List::of,
				Duration.ofSeconds(60), null);
		return new LockHealth(true, locks).report() + "\n" + endpoint.locks("a", null, null, null, null) + "\n"
				+ endpoint.locks(null, "*", null, null, null) + "\n" + endpoint.locks(null, null, null, null, null)
				+ "\n" + locks.status() + "\n" + locks.snapshot() + "\n"
				+ locks.inspector().queue("a", Duration.ofSeconds(60));
	}

	private void hasNone(String text) {
		assertThat(this.sessions).isNotEmpty()
			.allSatisfy((session) -> assertThat(text).doesNotContain(Long.toHexString(session))
				.doesNotContain(Long.toString(session)));
	}

}
