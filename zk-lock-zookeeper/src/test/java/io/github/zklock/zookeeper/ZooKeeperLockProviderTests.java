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

import io.github.zklock.core.AbstractLockAsyncTests;
import io.github.zklock.core.AbstractLockAtLeastTests;
import io.github.zklock.core.AbstractLockAttemptTests;
import io.github.zklock.core.AbstractLockHandleTests;
import io.github.zklock.core.AbstractLockModesTests;
import io.github.zklock.core.AbstractLockOrderTests;
import io.github.zklock.core.AbstractLockOwnerTests;
import io.github.zklock.core.AbstractLockPermitsTests;
import io.github.zklock.core.AbstractLockReentrancyTests;
import io.github.zklock.core.AbstractLockTemplateTests;
import io.github.zklock.core.AbstractLockTickTests;
import io.github.zklock.core.AbstractLockViewTests;
import io.github.zklock.core.AbstractLockWaitTests;
import io.github.zklock.core.AbstractOnLostTests;
import io.github.zklock.core.AbstractSeveralLocksFailureTests;
import io.github.zklock.core.AbstractSeveralLocksTests;
import io.github.zklock.support.LockBackend;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The provider contract for {@link ZooKeeperLockProvider} where every request has a place
 * of its own in ZooKeeper.
 */
@Tag("server")
class ZooKeeperLockProviderTests implements LockBackend.Source {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	static ZooKeeperBackend backend;

	@BeforeAll
	static void connect() {
		backend = new ZooKeeperBackend(server, Fairness.STRICT);
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
	class Views extends AbstractLockViewTests {

	}

	@Nested
	class Order extends AbstractLockOrderTests {

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
	class Permits extends AbstractLockPermitsTests {

	}

	@Nested
	class AtLeast extends AbstractLockAtLeastTests {

	}

	@Nested
	class Ticks extends AbstractLockTickTests {

	}

	@Nested
	class Attempts extends AbstractLockAttemptTests {

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
	class Several extends AbstractSeveralLocksTests {

	}

	@Nested
	class SeveralFailing extends AbstractSeveralLocksFailureTests {

	}

	@Nested
	class Loss extends AbstractOnLostTests {

	}

}
