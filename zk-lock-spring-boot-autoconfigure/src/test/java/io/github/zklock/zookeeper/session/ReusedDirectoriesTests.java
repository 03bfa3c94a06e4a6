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

package io.github.zklock.zookeeper.session;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.EngineParts;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A directory that is used again before its deletion has failed because of that belongs
 * to whoever uses it, or nobody would ever delete it.
 */
class ReusedDirectoriesTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final List<Runnable> soon = new ArrayList<>();

	private final NewDirectories directories = new NewDirectories(new KnownDirectories(), this.soon::add,
			System::nanoTime);

	private FaultScenario scenario;

	@BeforeEach
	void connect() throws Exception {
		this.scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);
		this.directories.isLeftToServers(System.nanoTime() + TimeUnit.DAYS.toNanos(1));
		for (String directory : List.of("/reused/a", "/reused/b")) {
			this.scenario.rival().curator().create().orSetData().creatingParentsIfNeeded().forPath(directory);
			leave(directory);
		}
	}

	@AfterEach
	void disconnect() {
		this.scenario.close();
	}

	@Test
	void directoryIsTakenBackBeforeItsDeletion() {
		assertThat(this.directories.takeBack("/reused/a")).isTrue();
		this.soon.forEach(Runnable::run);
		Awaitility.await().until(() -> server.children("/reused").equals(List.of("a")));
	}

	@Test
	void directoryIsTakenBackWhileItsDeletionIsUnderWay() {
		this.scenario.network().blackhole();
		this.soon.forEach(Runnable::run);
		assertThat(this.directories.takeBack("/reused/b")).isTrue();
		assertThat(this.directories.takeBack("/reused/b")).isFalse();
	}

	@Test
	void directoryIsNotTakenBackAfterItsDeletion() throws Exception {
		this.soon.forEach(Runnable::run);
		Awaitility.await().until(() -> server.children("/reused").isEmpty());
		// Its own reply comes behind that of the deletion.
		this.scenario.victim().curator().checkExists().forPath("/reused");
		assertThat(this.directories.takeBack("/reused/a")).isFalse();
	}

	private void leave(String directory) {
		EngineParts engine = EngineParts.of((ZooKeeperLockProvider) this.scenario.victim().locks());
		this.directories
			.departed(new LockNode(engine.tracker().current(), directory, "zreused-", directory + "/node", 1, 0, true));
	}

}
