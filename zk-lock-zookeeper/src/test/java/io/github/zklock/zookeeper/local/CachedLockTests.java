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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.Fairness;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.session.LockNode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lock that the process keeps for its own next request, while nobody else wants it.
 */
@Tag("server")
class CachedLockTests {

	// Less than a lock may be idle.
	private static final Duration WAIT = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);

	@AfterEach
	void leaveNothing() {
		this.scenario.rival().locks().acquire(this.scenario.request(WAIT)).release();
		this.scenario.assertNothingLeft();
	}

	@Test
	void repeatedLockAsksNobody() throws Exception {
		keep(cached());
		List<String> kept = this.scenario.left();
		List<Long> tokens = new ArrayList<>();
		long start = System.nanoTime();
		var requests = this.scenario.network().requests().during(this.scenario.directory(), () -> {
			for (int i = 0; i < 100; i++) {
				tokens.add(lockAndUnlock(cached()));
				tokens.add(lockAndUnlock(cached().withWait(Duration.ZERO)));
				LockHandle handle = locks().acquireAsync(cached()).join();
				tokens.add(handle.fencingToken());
				handle.releaseAsync().join();
			}
			return tokens;
		});
		long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
		assertThat(tokens).isSorted().doesNotHaveDuplicates();
		// It looks again every second, in case an event was lost.
		assertThat(requests.keySet()).isSubsetOf(ZooKeeperOperation.GET_CHILDREN);
		assertThat(requests.getOrDefault(ZooKeeperOperation.GET_CHILDREN, 0L)).isLessThanOrEqualTo(seconds + 1);
		assertThat(this.scenario.left()).isEqualTo(kept).singleElement().asString().contains("-k-lock-");
	}

	@Test
	void keepingALockTakesOneReadMore() throws Exception {
		long start = System.nanoTime();
		var requests = this.scenario.network().requests().during(this.scenario.directory(), () -> {
			keep(cached());
			return lockAndUnlock(this.scenario.request(WAIT));
		});
		long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
		assertThat(requests).containsOnlyKeys(ZooKeeperOperation.CREATE, ZooKeeperOperation.GET_CHILDREN,
				ZooKeeperOperation.DELETE);
		assertThat(requests).containsEntry(ZooKeeperOperation.CREATE, 1L).containsEntry(ZooKeeperOperation.DELETE, 1L);
		assertThat(requests.get(ZooKeeperOperation.GET_CHILDREN)).isBetween(2L, seconds + 2);
	}

	@Test
	void lastHolderDecidesWhetherTheLockIsKept() {
		keep(cached());
		lockAndUnlock(this.scenario.request(WAIT));
		Awaitility.await().untilAsserted(() -> assertThat(this.scenario.left()).isEmpty());
		LockHandle plain = locks().acquire(this.scenario.request(WAIT));
		CompletableFuture<LockHandle> next = locks().acquireAsync(cached());
		plain.release();
		next.join().release();
		// Others could not see by its name that nobody holds the lock.
		Awaitility.await().atMost(WAIT).untilAsserted(() -> assertThat(this.scenario.left()).isEmpty());
	}

	@Test
	void tokensGoOnToGrowWhenANodeIsUsedUp() throws Exception {
		List<Long> tokens = new ArrayList<>();
		var requests = this.scenario.network().requests().during(this.scenario.directory(), () -> {
			for (int i = 0; i <= LockNode.MAX_GRANTS; i++) {
				tokens.add(lockAndUnlock(cached()));
			}
			return tokens;
		});
		assertThat(tokens).isSorted().doesNotHaveDuplicates();
		assertThat(requests).containsEntry(ZooKeeperOperation.CREATE, 2L);
	}

	@Test
	void nestedLockIsPartOfTheLockThatIsKept() {
		keep(cached());
		try (LockHandle outer = locks().acquire(cached()); LockHandle inner = locks().acquire(cached())) {
			assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
		}
		assertThat(this.scenario.left()).hasSize(1);
	}

	@Test
	void readersShareTheNodeThatIsKept() {
		LockRequest read = cached().withMode(LockMode.READ);
		keep(read);
		List<String> kept = this.scenario.left();
		LockHandle first = locks().acquireAsync(read).join();
		LockHandle second = locks().acquireAsync(read.withWait(Duration.ZERO)).join();
		assertThat(first.isHeld() && second.isHeld()).isTrue();
		first.release();
		second.release();
		assertThat(lockAndUnlock(read)).isPositive();
		assertThat(this.scenario.left()).isEqualTo(kept);
	}

	@Test
	void otherModeOfTheSameProcessGetsTheLock() {
		keep(cached().withMode(LockMode.READ));
		for (LockMode mode : List.of(LockMode.WRITE, LockMode.READ, LockMode.EXCLUSIVE, LockMode.WRITE,
				LockMode.EXCLUSIVE, LockMode.READ)) {
			List<String> kept = this.scenario.left();
			LockHandle handle = locks().acquireAsync(cached().withMode(mode)).join();
			assertThat(handle.isHeld()).isTrue();
			assertThat(this.scenario.left()).hasSize(1).doesNotContainAnyElementsOf(kept);
			handle.release();
			// Whose turn came after another's gives the node up once.
			keep(cached().withMode(mode));
		}
	}

	@Test
	void lockIsExclusiveAmongManyThreads() {
		int[] inside = new int[2];
		CompletableFuture.allOf(IntStream.range(0, 8).mapToObj((i) -> CompletableFuture.runAsync(() -> {
			for (int n = 0; n < 500; n++) {
				LockHandle handle = locks().acquire(cached());
				inside[0]++;
				inside[1] = Math.max(inside[1], inside[0]);
				inside[0]--;
				handle.release();
			}
		})).toArray(CompletableFuture[]::new)).join();
		assertThat(inside).containsExactly(0, 1);
	}

	@Test
	void strictFairnessKeepsNothing() {
		try (FaultScenario strict = new FaultScenario(server,
				(curator) -> ZooKeeperLockProvider.builder(curator).fairness(Fairness.STRICT).build())) {
			strict.victim().locks().acquire(strict.request(WAIT).withCache(true)).release();
			assertThat(strict.left()).isEmpty();
		}
	}

	// The second one waits until it is known that nobody else wants the lock.
	private void keep(LockRequest request) {
		lockAndUnlock(request);
		lockAndUnlock(request);
	}

	private long lockAndUnlock(LockRequest request) {
		LockHandle handle = locks().acquire(request);
		long token = handle.fencingToken();
		handle.release();
		return token;
	}

	private LockRequest cached() {
		return this.scenario.request(WAIT).withCache(true);
	}

	private LockProvider locks() {
		return this.scenario.victim().locks();
	}

}
