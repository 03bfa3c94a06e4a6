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
import java.util.stream.Stream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.session.LockNode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Once another process waits for a key, a process hands the lock on to at most eight more
 * of its own, for at most 50 ms.
 */
@Tag("server")
class HandOverBoundTests {

	private static final int MOST = 8;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final EngineClock clock = new EngineClock();

	private final LockRequest request = LockRequest.of("turns").withWait(Duration.ofSeconds(30));

	@AutoClose
	private final LockClient<ZooKeeperLockProvider> one = connect();

	@AutoClose
	private final LockClient<ZooKeeperLockProvider> many = connect();

	private final LockHandle first = this.many.locks().acquire(this.request);

	private final List<CompletableFuture<LockHandle>> waiting = Stream
		.generate(() -> this.many.locks().acquireAsync(this.request))
		.limit(2 * MOST)
		.toList();

	@Test
	void atMostEightMoreHoldTheLock() throws Exception {
		CompletableFuture<LockHandle> other = waitElsewhere();
		this.first.release();
		int served = 0;
		while (first(other, served) != other) {
			this.waiting.get(served++).join().release();
		}
		assertThat(served).isLessThanOrEqualTo(MOST);
		assertThat(this.waiting.subList(served, 2 * MOST)).noneMatch(CompletableFuture::isDone);
		other.join().release();
		this.waiting.subList(served, 2 * MOST).forEach((each) -> each.join().release());
	}

	@Test
	void nobodyElseHoldsTheLockAfterFiftyMilliseconds() throws Exception {
		CompletableFuture<LockHandle> other = waitElsewhere();
		this.clock.forward(Duration.ofMillis(60));
		this.first.release();
		LockHandle theirs = other.join();
		assertThat(this.waiting).noneMatch(CompletableFuture::isDone);
		theirs.release();
		this.waiting.forEach((each) -> each.join().release());
	}

	@Test
	void allHoldTheLockByOneNodeWhileNobodyElseWaits() {
		this.first.release();
		List<Long> nodes = this.waiting.stream().map((each) -> {
			LockHandle handle = each.join();
			handle.release();
			return handle.fencingToken() / LockNode.MAX_GRANTS;
		}).distinct().toList();
		assertThat(nodes).as("in a second").hasSizeLessThan(MOST);
	}

	private CompletableFuture<LockHandle> first(CompletableFuture<LockHandle> other, int served) {
		CompletableFuture<LockHandle> mine = this.waiting.get(served);
		CompletableFuture.anyOf(mine, other).join();
		return other.isDone() ? other : mine;
	}

	private CompletableFuture<LockHandle> waitElsewhere() throws Exception {
		CompletableFuture<LockHandle> other = this.one.locks().acquireAsync(this.request);
		Awaitility.await().until(() -> server.children("/locks/turns").size() == 2);
		// The event that tells of it comes before this answer, to the same thread.
		CompletableFuture<Boolean> told = new CompletableFuture<>();
		this.many.curator().checkExists().inBackground((client, event) -> told.complete(true)).forPath("/locks");
		told.join();
		return other;
	}

	private LockClient<ZooKeeperLockProvider> connect() {
		return LockClient.connect(server.connectString(), FaultScenario.SESSION_TIMEOUT,
				(curator) -> this.clock.build(ZooKeeperLockProvider.builder(curator)));
	}

}
