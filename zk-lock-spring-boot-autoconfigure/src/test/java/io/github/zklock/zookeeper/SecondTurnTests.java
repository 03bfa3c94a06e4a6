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
import java.util.stream.IntStream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.local.Turn;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process with many threads is first again before one with a single thread is back from
 * its turn: it does not take as much as before.
 */
class SecondTurnTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final LockRequest request = LockRequest.of("turns").withWait(Duration.ofSeconds(30));

	private LockClient<ZooKeeperLockProvider> one;

	private LockClient<ZooKeeperLockProvider> many;

	private List<CompletableFuture<LockHandle>> waiting;

	/**
	 * Two of those who wait have had their turn after that of the other process.
	 */
	@BeforeEach
	void beFirstAgain() {
		this.one = connect();
		this.many = connect();
		LockHandle other = this.one.locks().acquire(this.request);
		this.waiting = IntStream.range(0, 6).mapToObj((i) -> this.many.locks().acquireAsync(this.request)).toList();
		awaitWatch();
		other.release();
		assertThat(nodeOf(0)).isEqualTo(nodeOf(1));
	}

	@AfterEach
	void close() {
		this.waiting.forEach((each) -> each.thenAccept(LockHandle::release).join());
		this.one.close();
		this.many.close();
	}

	@Test
	void secondTurnInARowIsForOneHolder() {
		LockHandle third = this.waiting.get(2).join();
		CompletableFuture<LockHandle> back = this.one.locks().acquireAsync(this.request);
		awaitWatch();
		third.release();
		LockHandle other = back.join();
		assertThat(this.waiting.get(3)).isNotDone();
		other.release();
	}

	@Test
	void whoFindsNobodyTwiceIsAlone() {
		long third = nodeOf(2);
		assertThat(nodeOf(3)).isNotEqualTo(third).isEqualTo(nodeOf(4)).isEqualTo(nodeOf(5));
	}

	private long nodeOf(int index) {
		LockHandle handle = this.waiting.get(index).join();
		handle.release();
		return handle.fencingToken() / Turn.MAX_GRANTS;
	}

	private static void awaitWatch() {
		Awaitility.await()
			.until(() -> server.watched("/locks").size() == 1 && server.children("/locks/turns").size() == 2);
	}

	private static LockClient<ZooKeeperLockProvider> connect() {
		return LockClient.connect(server.connectString(), FaultScenario.SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator).build());
	}

}
