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

import io.github.zklock.core.AbstractLockAsyncTests;
import io.github.zklock.core.AbstractLockHandleTests;
import io.github.zklock.core.AbstractLockModesTests;
import io.github.zklock.core.AbstractLockOwnerTests;
import io.github.zklock.core.AbstractLockReentrancyTests;
import io.github.zklock.core.AbstractLockTemplateTests;
import io.github.zklock.core.AbstractLockWaitTests;
import io.github.zklock.core.AbstractOnLostTests;
import io.github.zklock.support.LockBackend;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.Fairness;
import io.github.zklock.zookeeper.ZooKeeperBackend;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The provider contract for {@link ZooKeeperLockProvider} where those of one process wait
 * behind one node.
 */
@Tag("server")
class LocalQueueContractTests implements LockBackend.Source {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	static ZooKeeperBackend backend;

	@BeforeAll
	static void connect() {
		backend = new ZooKeeperBackend(server, Fairness.BOUNDED);
	}

	@Override
	public LockBackend backend() {
		return backend;
	}

	@AfterEach
	void settle() {
		backend.settle();
	}

	@AfterAll
	static void disconnect() {
		backend.close();
	}

	@Nested
	class Modes extends AbstractLockModesTests {

	}

	@Nested
	class Waiting extends AbstractLockWaitTests {

	}

	@Nested
	class Owner extends AbstractLockOwnerTests {

	}

	@Nested
	class Reentrancy extends AbstractLockReentrancyTests {

	}

	@Nested
	class Handles extends AbstractLockHandleTests {

	}

	@Nested
	class Async extends AbstractLockAsyncTests {

	}

	@Nested
	class Template extends AbstractLockTemplateTests {

	}

	@Nested
	class Loss extends AbstractOnLostTests {

	}

}
