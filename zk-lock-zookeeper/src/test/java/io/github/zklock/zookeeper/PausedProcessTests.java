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
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.JavaProcess;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process that was paused for longer than its session lives knows at its first look
 * that it holds nothing any more. Nobody can keep it from acting before that look, but a
 * resource that compares tokens can. {@code -Druns=20} repeats each test.
 */
@Tag("server")
class PausedProcessTests {

	private static final Logger logger = LoggerFactory.getLogger(PausedProcessTests.class);

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	private static final Duration WAIT = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final AtomicLong greatestToken = new AtomicLong();

	static IntStream runs() {
		return IntStream.rangeClosed(1, Integer.getInteger("runs", 1));
	}

	@ParameterizedTest
	@MethodSource("runs")
	void firstLookAfterThePauseSaysThatTheLockIsLost(int run) {
		String key = "paused-" + run;
		try (JavaProcess holder = JavaProcess.start(HolderProcess.class.getName(), List.of(), server.connectString(),
				Long.toString(SESSION_TIMEOUT.toMillis()), Long.toString(ZooKeeperServerFixture.TICK.toMillis()), key);
				LockClient<ZooKeeperLockProvider> rival = LockClient.connect(server.connectString(),
						FaultScenario.SESSION_TIMEOUT, (curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			assertThat(isAccepted(token(holder.awaitLine("HOLDS ")))).isTrue();
			// Heartbeats are sent, so one may be on its way.
			Awaitility.await().until(() -> !server.children("/locks/~sessions").isEmpty());
			holder.pause();
			LockHandle next = rival.locks().acquire(LockRequest.of(key).withWait(WAIT));
			assertThat(isAccepted(next.fencingToken())).isTrue();
			holder.resume();
			String resumed = holder.awaitLine("RESUMED ");
			logger.info("The process {}", resumed);
			assertThat(resumed).startsWith("RESUMED LOST");
			assertThat(holder.awaitLine("GUARD ")).contains(key).contains("was lost");
			assertThat(isAccepted(token(holder.awaitLine("WRITES ")))).as("write of the process that was paused")
				.isFalse();
			assertThat(next.isHeld()).isTrue();
			assertThat(isAccepted(next.fencingToken())).isTrue();
			next.release();
		}
	}

	// What a resource has to do that must be safe from processes that were paused.
	private boolean isAccepted(long token) {
		return this.greatestToken.accumulateAndGet(token, Math::max) == token;
	}

	private static long token(String line) {
		return Long.parseLong(line.substring(line.indexOf(' ') + 1));
	}

}
