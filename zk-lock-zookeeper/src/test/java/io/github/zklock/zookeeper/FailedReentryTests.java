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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process that cannot enter a queue again leaves it all the same.
 */
@Tag("server")
class FailedReentryTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final AtomicBoolean failing = new AtomicBoolean();

	@Test
	void nodeIsDeletedIfTheNextOneCannotBeAskedFor() throws Exception {
		EngineClock clock = new EngineClock();
		try (FaultScenario scenario = new FaultScenario(server,
				(curator) -> clock.build(ZooKeeperLockProvider.builder(curator).aclProvider(new MoodyProvider())));
				LockClient<ZooKeeperLockProvider> others = scenario.strict()) {
			LockHandle first = scenario.enter(others, 1).join();
			CompletableFuture<LockHandle> second = scenario.enter(others, 2);
			CompletableFuture<LockHandle> mine = scenario.enter(scenario.victim(), 3);
			CompletableFuture<LockHandle> behind = scenario.enter(others, 4);
			Awaitility.await().until(() -> server.watched("/locks").size() == 3);
			first.release();
			second.join().release();
			LockHandle held = mine.join();
			this.failing.set(true);
			CompletableFuture<LockHandle> next = scenario.enter(scenario.victim(), 2);
			// After that it is the turn of the other process.
			clock.forward(Duration.ofMillis(60));
			held.release();
			assertThat(behind.join().isHeld()).isTrue();
			assertThat(next).failsWithin(FaultScenario.WAIT)
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(LockAccessException.class);
			this.failing.set(false);
			behind.join().release();
			assertThat(scenario.victim().locks().acquire(scenario.request(FaultScenario.WAIT)).isHeld()).isTrue();
		}
	}

	private final class MoodyProvider implements ACLProvider {

		@Override
		public List<ACL> getDefaultAcl() {
			return Ids.OPEN_ACL_UNSAFE;
		}

		@Override
		public List<ACL> getAclForPath(String path) {
			return FailedReentryTests.this.failing.get() ? List.of() : getDefaultAcl();
		}

	}

}
