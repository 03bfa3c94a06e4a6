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

import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockHandle;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each waits for the one right before it, and looks who is still ahead when that one is
 * gone.
 */
@Tag("server")
class NextInLineTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);

	// One node for each of its locks.
	private LockClient<ZooKeeperLockProvider> others;

	@BeforeEach
	void connect() {
		this.others = this.scenario.strict();
	}

	@AfterEach
	void disconnect() {
		this.scenario.assertNothingLeft();
		this.others.close();
	}

	@Test
	void isLetInWithoutAListingByTheOnlyOneThatWasAhead() {
		LockHandle first = waitElsewhere(0).join();
		CompletableFuture<LockHandle> mine = waitHere(1);
		Awaitility.await().until(() -> server.watched("/locks").size() == 1);
		long listings = listings();
		first.release();
		mine.join().release();
		assertThat(listings()).isEqualTo(listings);
	}

	@Test
	void isNotLetInByOneThatLeavesBeforeItHadTheLock() {
		LockHandle first = waitElsewhere(0).join();
		CompletableFuture<LockHandle> second = waitElsewhere(1);
		CompletableFuture<LockHandle> third = waitElsewhere(2);
		CompletableFuture<LockHandle> mine = waitHere(3);
		Awaitility.await().until(() -> server.watched("/locks").size() == 3);
		long listings = listings();
		third.cancel(false);
		Awaitility.await().until(() -> listings() > listings);
		assertThat(mine).isNotDone();
		first.release();
		LockHandle held = second.join();
		assertThat(mine).isNotDone();
		held.release();
		mine.join().release();
	}

	private long listings() {
		return count(ZooKeeperOperation.GET_CHILDREN);
	}

	private long count(ZooKeeperOperation operation) {
		return this.scenario.network().requests().count(operation, this.scenario.directory());
	}

	private CompletableFuture<LockHandle> waitElsewhere(int ahead) {
		return this.scenario.enter(this.others, ahead + 1);
	}

	private CompletableFuture<LockHandle> waitHere(int ahead) {
		return this.scenario.enter(this.scenario.victim(), ahead + 1);
	}

}
