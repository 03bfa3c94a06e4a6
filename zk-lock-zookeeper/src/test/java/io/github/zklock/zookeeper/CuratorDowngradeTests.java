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

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.Refusal;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whoever holds Curator's write lock may take its read lock as well and give the write
 * lock back. The node of that reader bears the number of the write lock, so it comes
 * before everybody who waits already.
 */
@Tag("server")
class CuratorDowngradeTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);

	private InterProcessReadWriteLock curator;

	@BeforeEach
	void holdTheWriteLock() throws Exception {
		this.curator = new InterProcessReadWriteLock(this.scenario.rival().curator(), this.scenario.directory());
		this.curator.writeLock().acquire();
	}

	@AfterEach
	void leaveNothing() {
		this.scenario.assertNothingLeft();
	}

	@ParameterizedTest
	@EnumSource(names = { "EXCLUSIVE", "WRITE" })
	void whoIsNextWaitsForTheReaderThatTheWriterHasBecome(LockMode mode) throws Exception {
		CompletableFuture<LockHandle> next = waitFor(mode, 2);
		downgrade();
		assertWaitsForTheReader(next);
		this.curator.readLock().release();
		next.join().release();
	}

	@Test
	void readerIsLetInBesideTheReaderThatTheWriterHasBecome() throws Exception {
		CompletableFuture<LockHandle> next = waitFor(LockMode.READ, 2);
		downgrade();
		next.join().release();
		this.curator.readLock().release();
	}

	@Test
	void whoWaitsBehindAnotherWaitsForTheReaderToo() throws Exception {
		try (LockClient<ZooKeeperLockProvider> others = this.scenario.strict()) {
			CompletableFuture<LockHandle> between = this.scenario.enter(others, 2);
			CompletableFuture<LockHandle> last = waitFor(LockMode.EXCLUSIVE, 3);
			between.cancel(false);
			downgrade();
			assertWaitsForTheReader(last);
			this.curator.readLock().release();
			last.join().release();
		}
	}

	@Test
	void whoFindsTheReaderBesideItsWriterWaitsForBoth() throws Exception {
		this.curator.readLock().acquire();
		CompletableFuture<LockHandle> next = waitFor(LockMode.WRITE, 3);
		this.curator.writeLock().release();
		assertWaitsForTheReader(next);
		this.curator.readLock().release();
		next.join().release();
	}

	@ParameterizedTest
	@EnumSource(names = { "EXCLUSIVE", "WRITE" })
	void tryIsRefusedBesideTheReader(LockMode mode) throws Exception {
		downgrade();
		Refusal.of(() -> locks().acquire(this.scenario.request(Duration.ZERO).withMode(mode)));
		this.curator.readLock().release();
	}

	private void downgrade() throws Exception {
		this.curator.readLock().acquire();
		this.curator.writeLock().release();
	}

	private CompletableFuture<LockHandle> waitFor(LockMode mode, int nodes) {
		CompletableFuture<LockHandle> waiting = request(mode);
		this.scenario.awaitNodes(nodes);
		Awaitility.await().until(() -> !server.watched("/locks").isEmpty());
		return waiting;
	}

	private CompletableFuture<LockHandle> request(LockMode mode) {
		return locks().acquireAsync(this.scenario.request(FaultScenario.WAIT).withMode(mode));
	}

	private LockProvider locks() {
		return this.scenario.victim().locks();
	}

	private void assertWaitsForTheReader(CompletableFuture<LockHandle> waiting) {
		Awaitility.await().until(() -> waiting.isDone() || server.watched("/locks").equals(readers()));
		assertThat(waiting).isNotDone();
	}

	private List<String> readers() {
		return this.scenario.left()
			.stream()
			.filter((name) -> name.contains("__READ__"))
			.map((name) -> this.scenario.directory() + "/" + name)
			.toList();
	}

}
