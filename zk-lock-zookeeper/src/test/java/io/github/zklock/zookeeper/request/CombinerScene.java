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

package io.github.zklock.zookeeper.request;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.Fault;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.ZooKeeperOperation;
import org.awaitility.Awaitility;

/**
 * Many keys that a client knows, on a network that keeps the answers back until as many
 * requests are under way as may be, so that it is certain what goes out together.
 */
final class CombinerScene {

	static final int WINDOW = 4;

	static final int KEYS = 20;

	private static final Duration WAIT = Duration.ofSeconds(60);

	private final String prefix = UUID.randomUUID().toString();

	private final FaultProxy network;

	private final LockProvider locks;

	private Fault held;

	private long earlier;

	CombinerScene(FaultProxy network, LockProvider locks) {
		this.network = network;
		this.locks = locks;
	}

	String key(int index) {
		return this.prefix + "-" + index + "-";
	}

	LockRequest request(int index) {
		return LockRequest.of(key(index)).withWait(WAIT);
	}

	CompletableFuture<LockHandle> acquire(int index) {
		return this.locks.acquireAsync(request(index));
	}

	/**
	 * Use every key once, one after the other.
	 */
	void useKeys() {
		for (int i = 0; i < KEYS; i++) {
			this.locks.acquire(request(i)).release();
		}
		this.earlier = transactions();
	}

	/**
	 * Let the first keys be asked for, and keep the answers back.
	 * @return the locks on those keys
	 */
	List<CompletableFuture<LockHandle>> fillWindow() {
		long before = creates("");
		this.held = this.network.on(ZooKeeperOperation.CREATE, key(0)).holdReply();
		List<CompletableFuture<LockHandle>> first = new ArrayList<>();
		// One after the other, since those that come while an answer is looked at go out
		// together.
		for (int i = 1; i <= WINDOW; i++) {
			long sent = before + i;
			first.add(acquire(i - 1));
			Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> creates("") == sent);
		}
		this.held.awaitFired();
		return first;
	}

	/**
	 * Let all the other keys be asked for as well.
	 */
	List<CompletableFuture<LockHandle>> acquireAll() {
		List<CompletableFuture<LockHandle>> all = fillWindow();
		for (int i = WINDOW; i < KEYS; i++) {
			all.add(acquire(i));
		}
		return all;
	}

	/**
	 * Let the answers go on.
	 */
	void releaseReplies() {
		this.held.release();
	}

	/**
	 * Wait for a lock that is expected to be granted. While the connection is
	 * interrupted, it is uncertain whether it is held.
	 */
	LockHandle granted(CompletableFuture<LockHandle> lock) throws Exception {
		LockHandle handle = lock.get(WAIT.toSeconds(), TimeUnit.SECONDS);
		Awaitility.await().atMost(WAIT).until(handle::isHeld);
		return handle;
	}

	/**
	 * Wait for locks that are expected to be granted, and give them back.
	 */
	void useAndRelease(List<CompletableFuture<LockHandle>> locked) throws Exception {
		List<LockHandle> handles = new ArrayList<>();
		for (CompletableFuture<LockHandle> lock : locked) {
			handles.add(granted(lock));
		}
		CompletableFuture.allOf(handles.stream().map(LockHandle::releaseAsync).toArray(CompletableFuture<?>[]::new))
			.get(WAIT.toSeconds(), TimeUnit.SECONDS);
	}

	/**
	 * Return how many transactions there were since every key was used.
	 */
	long transactions() {
		return this.network.requests().count(ZooKeeperOperation.MULTI, "") - this.earlier;
	}

	long readsTogether() {
		return this.network.requests().count(ZooKeeperOperation.MULTI_READ, "");
	}

	/**
	 * Return how many nodes were asked for alone.
	 */
	long creates(String key) {
		return count(ZooKeeperOperation.CREATE, key);
	}

	long count(ZooKeeperOperation operation, String key) {
		return this.network.requests().count(operation, key.isEmpty() ? this.prefix : key);
	}

}
