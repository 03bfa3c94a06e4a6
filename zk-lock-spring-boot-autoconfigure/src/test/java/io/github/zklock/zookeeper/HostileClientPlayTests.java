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
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.HostileClient;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A client that creates what it likes in the directories of keys, while two other clients
 * take the locks of several keys. A judge counts overlaps and lost locks.
 */
@Tag("server")
class HostileClientPlayTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final int ROUNDS = 40;

	private static final List<String> KEYS = List.of("a", "b", "c");

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final String root = "/" + UUID.randomUUID();

	@AutoClose
	private final LockClient<ZooKeeperLockProvider> one = client();

	@AutoClose
	private final LockClient<ZooKeeperLockProvider> other = client();

	@AutoClose
	private final HostileClient stranger = HostileClient.connect(server.connectString());

	private final Judge judge = new Judge();

	private final CountDownLatch begun = new CountDownLatch(2);

	@Test
	void attacksOnSomeKeysCostNoLockOfOtherKeys() throws Exception {
		LockHandle held = this.one.locks().acquire(request("held"));
		CompletableFuture<Void> first = CompletableFuture.runAsync(() -> takeLocks(this.one));
		CompletableFuture<Void> second = CompletableFuture.runAsync(() -> takeLocks(this.other));
		assertThat(this.begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
		plantMalformedNames();
		inspectALongQueue();
		waitBehindAHiddenName();
		for (CompletableFuture<Void> play : List.of(first, second)) {
			play.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
		}
		poisonAKey();
		await().atMost(PATIENCE).until(() -> held.state() == LockState.HELD);
		held.release();
		takeLocks(this.one);
		takeLocks(this.other);
		this.judge.assertFair(4 * ROUNDS * KEYS.size());
	}

	private void plantMalformedNames() throws Exception {
		for (String key : KEYS) {
			this.stranger.plant(directory(key), "z0-plock-0000000000");
			this.stranger.plant(directory(key), "z0-1-lock--1");
			this.stranger.plant(directory(key), "z0-1-1-least-999999999999999999-0");
		}
	}

	// Each of its nodes holds, so it takes the longest to judge.
	private void inspectALongQueue() throws Exception {
		for (int i = 0; i < 300; i++) {
			this.stranger.enter(directory("long"), "z1-" + i + "-", LockMode.READ);
		}
		for (int i = 0; i < 10; i++) {
			assertThat(this.one.locks().inspector().queue("long", PATIENCE).contenders()).isNotEmpty();
		}
	}

	private void waitBehindAHiddenName() throws Exception {
		String busy = this.stranger.enter(directory("busy"), "z1-1-", LockMode.EXCLUSIVE);
		CompletableFuture<LockHandle> waiting = this.one.locks().acquireAsync(request("busy"));
		await().atMost(PATIENCE).until(() -> server.children(directory("busy")).size() == 2);
		assertThat(waiting).isNotDone();
		this.stranger.zooKeeper().delete(busy, -1);
		waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).release();
	}

	private void poisonAKey() throws Exception {
		this.stranger.poison(directory("poisoned"), 2, 600_000);
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> this.one.locks().acquire(request("poisoned")))
			.withMessageContaining(directory("poisoned"));
	}

	private void takeLocks(LockClient<ZooKeeperLockProvider> client) {
		for (int i = 0; i < ROUNDS; i++) {
			for (String key : KEYS) {
				LockHandle handle = client.locks().acquire(request(key).withCache(false));
				this.judge.enter(key);
				this.judge.leave(key, handle);
			}
			this.begun.countDown();
		}
	}

	private LockClient<ZooKeeperLockProvider> client() {
		return LockClient.connect(server.connectString(), Duration.ofSeconds(60),
				(curator) -> ZooKeeperLockProvider.builder(curator).root(this.root).build());
	}

	private String directory(String key) {
		return this.root + "/" + key;
	}

	private static LockRequest request(String key) {
		return LockRequest.of(key).withWait(PATIENCE);
	}

	/**
	 * Knows who holds which key, as the holders themselves say.
	 */
	private static final class Judge {

		private final Map<String, AtomicInteger> holders = new ConcurrentHashMap<>();

		private final AtomicInteger overlaps = new AtomicInteger();

		private final AtomicInteger lost = new AtomicInteger();

		private final AtomicInteger locks = new AtomicInteger();

		void enter(String key) {
			if (this.holders.computeIfAbsent(key, (held) -> new AtomicInteger()).incrementAndGet() > 1) {
				this.overlaps.incrementAndGet();
			}
		}

		void leave(String key, LockHandle handle) {
			this.locks.incrementAndGet();
			if (handle.state() != LockState.HELD) {
				this.lost.incrementAndGet();
			}
			this.holders.get(key).decrementAndGet();
			handle.release();
		}

		void assertFair(int expected) {
			assertThat(this.overlaps).as("overlaps").hasValue(0);
			assertThat(this.lost).as("lost locks").hasValue(0);
			assertThat(this.locks).as("locks").hasValue(expected);
		}

	}

}
