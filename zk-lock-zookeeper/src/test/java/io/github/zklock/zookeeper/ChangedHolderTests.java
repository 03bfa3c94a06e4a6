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

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.Refusal;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whom a refusal names if the holder has changed while others waited.
 */
@Tag("server")
class ChangedHolderTests {

	private static final LockRequest REQUEST = LockRequest.of("changed");

	private static final LockRequest PATIENT = REQUEST.withWait(FaultScenario.SESSION_TIMEOUT);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void refusalNamesTheHolderAlthoughAnotherOneHeldWhenItsProcessBeganToWait() {
		try (LockClient<ZooKeeperLockProvider> first = start("first");
				LockClient<ZooKeeperLockProvider> second = start("second");
				LockClient<ZooKeeperLockProvider> third = start("third")) {
			LockHandle before = first.locks().acquire(PATIENT);
			CompletableFuture<LockHandle> next = waiting(second, 2);
			CompletableFuture<LockHandle> last = waiting(third, 3);
			before.release();
			assertThat(next).succeedsWithin(FaultScenario.SESSION_TIMEOUT);
			LockHolder named = Refusal
				.of(() -> third.locks().acquire(REQUEST.withWait(Duration.ZERO).withOwner("another")))
				.getHolder();
			assertThat(named).isNotNull().extracting(LockHolder::application).isEqualTo("second");
			next.join().release();
			assertThat(last).succeedsWithin(FaultScenario.SESSION_TIMEOUT).satisfies(LockHandle::release);
		}
	}

	private CompletableFuture<LockHandle> waiting(LockClient<ZooKeeperLockProvider> client, int contenders) {
		CompletableFuture<LockHandle> waiting = client.locks().acquireAsync(PATIENT);
		Awaitility.await()
			.untilAsserted(() -> assertThat(server.children(client.locks().pathOf(REQUEST.key()))).hasSize(contenders));
		return waiting;
	}

	private LockClient<ZooKeeperLockProvider> start(String application) {
		return LockClient.start(server.connectString(), FaultScenario.SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator).application(application).build());
	}

}
