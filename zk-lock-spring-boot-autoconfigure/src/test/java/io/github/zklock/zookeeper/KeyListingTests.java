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

import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockQueue;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * 100,000 keys are listed by the client that zk-lock builds, without losing its
 * connection. Prints how long that takes.
 */
@Tag("server")
class KeyListingTests {

	private static final int KEYS = 100_000;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void pageOfVeryManyKeysLeavesTheConnectionAlone() {
		ManyKeys.create(server.connectString(), "/locks", KEYS);
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class))
			.withPropertyValues("zk-lock.connect-string=" + server.connectString(), "zk-lock.try-timeout=30s")
			.run((context) -> {
				ZooKeeperLockProvider locks = context.getBean(ZooKeeperLockProvider.class);
				LockHandle held = locks.acquire(LockRequest.of("key-77777"));
				ZooKeeperLockStatus.Session session = locks.status().session();
				for (String pattern : new String[] { "*", "key-7777*", "key-77777" }) {
					long start = System.nanoTime();
					ZooKeeperLockQueue.Page page = locks.inspector().queues(pattern, 0, 100, Duration.ofSeconds(60));
					System.out.printf("%d keys, %s: %d match, %d queues in %d ms%n", page.keys(), pattern,
							page.matching(), page.queues().size(), (System.nanoTime() - start) / 1_000_000);
					assertThat(page.keys()).isEqualTo(KEYS);
					assertThat(page.queues()).hasSize(Math.min(page.matching(), 100));
				}
				assertThat(held.state()).isEqualTo(LockState.HELD);
				assertThat(session).isNotNull();
				assertThat(locks.status().session()).isNotNull()
					.extracting(ZooKeeperLockStatus.Session::mark)
					.isEqualTo(session.mark());
				assertThat(locks.inspector().queue("key-77777", Duration.ofSeconds(60)).contenders()).hasSize(1);
				held.release();
			});
	}

}
