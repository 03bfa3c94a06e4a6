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

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the lock space of a provider.
 */
class LockSpaceTests {

	@Test
	void lockSpaceIsTheEnsembleAndThePathThatItSees() {
		assertThat(space("a:1,b:1", null)).isEqualTo("a:1,b:1/locks");
		assertThat(space("a:1/", null)).isEqualTo("a:1/locks");
		assertThat(space("a:1,b:1/apps", null)).isEqualTo("a:1,b:1/apps/locks");
		assertThat(space("a:1/apps/shop", "orders")).isEqualTo("a:1/apps/shop/orders/locks");
	}

	@Test
	void applicationsThatDivideThePathInOtherWaysHaveOneLockSpace() {
		assertThat(space("a:1/apps", null)).isEqualTo(space("a:1", "apps"));
	}

	private static String space(String connectString, @Nullable String namespace) {
		try (CuratorFramework client = CuratorFrameworkFactory.builder()
			.connectString(connectString)
			.namespace(namespace)
			.retryPolicy(new RetryOneTime(1))
			.build(); ZooKeeperLockProvider provider = ZooKeeperLockProvider.builder(client).build()) {
			return provider.engine.lockSpace();
		}
	}

}
