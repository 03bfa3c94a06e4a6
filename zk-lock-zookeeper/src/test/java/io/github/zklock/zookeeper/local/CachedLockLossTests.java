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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.EngineParts;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A lock that was taken by a node that is kept is lost like any other: its holder is told
 * without asking.
 */
@Tag("server")
class CachedLockLossTests {

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	private static final Duration WAIT = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final CompletableFuture<Long> told = new CompletableFuture<>();

	@AutoClose
	private final FaultScenario scenario = FaultScenario.ours(server, SESSION_TIMEOUT);

	private LockHandle holder;

	@BeforeEach
	void holdByAKeptNode() throws Exception {
		lockAndUnlock();
		lockAndUnlock();
		assertThat(this.scenario.network().requests().during(this.scenario.directory(), () -> {
			this.holder = locks().acquire(cached());
			return this.holder;
		}).keySet()).isSubsetOf(ZooKeeperOperation.GET_CHILDREN);
		this.holder.onLost((lost) -> this.told.complete(System.nanoTime()));
	}

	@AfterEach
	void leaveNothing() {
		this.scenario.network().heal();
		this.holder.release();
		this.scenario.rival().locks().acquire(this.scenario.request(WAIT)).release();
		this.scenario.assertNothingLeft();
	}

	@Test
	void holderIsToldOfTheEndOfTheSession() {
		server.killSession(this.scenario.victim().sessionId());
		assertLost();
	}

	@Test
	void holderIsToldOfTheEndOfTheLeaseBeforeTheNextHolderComes() throws Exception {
		CompletableFuture<Long> next = CompletableFuture.supplyAsync(() -> {
			LockHandle handle = this.scenario.rival().locks().acquire(this.scenario.request(WAIT));
			long now = System.nanoTime();
			handle.release();
			return now;
		});
		await().until(() -> this.scenario.left().size() == 2);
		this.scenario.network().blackhole();
		long lead = next.get(WAIT.toSeconds(), TimeUnit.SECONDS) - this.told.get(30, TimeUnit.SECONDS);
		assertThat(lead).as("nanoseconds from the loss to the next holder").isPositive();
		assertLost();
	}

	@Test
	void holderIsToldThatTheNodeWasDeletedDuringAnInterruption() throws Exception {
		String node = this.scenario.directory() + "/" + this.scenario.left().get(0);
		this.scenario.network().refuse();
		await().until(() -> this.holder.state() == LockState.UNCERTAIN);
		this.scenario.rival().curator().delete().forPath(node);
		this.scenario.network().heal();
		assertLost();
	}

	@Test
	void holderIsToldOfTheEndOfTheProvider() {
		((ZooKeeperLockProvider) locks()).shutdown(Duration.ZERO);
		assertLost();
	}

	@Test
	void providerWaitsForTheHolder() {
		CompletableFuture<Void> end = CompletableFuture
			.runAsync(() -> ((ZooKeeperLockProvider) locks()).shutdown(Duration.ofSeconds(30)));
		await().until(() -> EngineParts.of((ZooKeeperLockProvider) locks()).cache().isClosed());
		assertThat(((ZooKeeperLockProvider) locks()).heldLocks()).isOne();
		assertThat(this.holder.isHeld()).isTrue();
		assertThat(end).isNotDone();
		this.holder.release();
		end.join();
		assertThat(this.told).isNotDone();
	}

	@Test
	void releasedLockIsNotToldOfWhatComesLater() {
		this.holder.release();
		LockHandle second = locks().acquire(cached());
		CompletableFuture<LockHandle> lost = new CompletableFuture<>();
		second.onLost(lost::complete);
		server.killSession(this.scenario.victim().sessionId());
		assertThat(lost.join()).isSameAs(second);
		assertThat(this.holder.state()).isEqualTo(LockState.RELEASED);
		assertThat(this.told).isNotDone();
	}

	// An event that tells of another process may be lost.
	@Test
	void asksAgainFromTimeToTime() throws Exception {
		this.holder.release();
		long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1500);
		assertThat(this.scenario.network().requests().during(this.scenario.directory(), () -> {
			// Seldom enough that one node is enough.
			await().pollInterval(Duration.ofMillis(10)).until(() -> {
				lockAndUnlock();
				return System.nanoTime() - end > 0;
			});
			return this.holder;
		})).containsOnlyKeys(ZooKeeperOperation.GET_CHILDREN);
	}

	private void assertLost() {
		assertThat(this.told.orTimeout(WAIT.toSeconds(), TimeUnit.SECONDS).join()).isNotNull();
		assertThat(this.holder.state()).isEqualTo(LockState.LOST);
	}

	private void lockAndUnlock() {
		locks().acquire(cached()).release();
	}

	private LockRequest cached() {
		return this.scenario.request(WAIT).withCache(true);
	}

	private LockProvider locks() {
		return this.scenario.victim().locks();
	}

}
