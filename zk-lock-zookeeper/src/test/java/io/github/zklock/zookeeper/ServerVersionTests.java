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

import java.nio.file.Files;
import java.nio.file.Path;

import io.github.zklock.core.AbstractLockAtLeastTests;
import io.github.zklock.core.AbstractLockAttemptTests;
import io.github.zklock.core.AbstractLockHandleTests;
import io.github.zklock.core.AbstractLockModesTests;
import io.github.zklock.core.AbstractLockPermitsTests;
import io.github.zklock.core.AbstractLockReentrancyTests;
import io.github.zklock.core.AbstractLockTickTests;
import io.github.zklock.core.AbstractLockWaitTests;
import io.github.zklock.core.AbstractSeveralLocksTests;
import io.github.zklock.support.LockBackend;
import io.github.zklock.support.ServerProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The provider contract with an older server of ZooKeeper, whose version is the system
 * property {@code zookeeper.server}. Its jars are there in the nightly build only.
 */
@Tag("nightly")
class ServerVersionTests implements LockBackend.Source {

	private static final String VERSION = System.getProperty("zookeeper.server", "");

	private static final Path JARS = Path.of("target", "zookeeper-servers", VERSION);

	static ServerProcess server;

	static ServerVersionBackend backend;

	@BeforeAll
	static void start() {
		assumeTrue(!VERSION.isEmpty() && Files.isDirectory(JARS), "mvn -Pnightly brings the servers");
		server = ServerProcess.of(JARS).start();
		backend = new ServerVersionBackend(server);
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
	static void close() {
		if (backend != null) {
			backend.close();
			server.close();
		}
	}

	@Test
	void serverHasTheVersion() {
		assertThat(server.version()).startsWith(VERSION);
	}

	@Nested
	class Modes extends AbstractLockModesTests {

	}

	@Nested
	class Waiting extends AbstractLockWaitTests {

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
	class Several extends AbstractSeveralLocksTests {

	}

}
