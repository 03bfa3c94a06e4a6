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

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHolder;
import io.github.zklock.zookeeper.node.QueueHolders;
import io.github.zklock.zookeeper.request.CombinableRequest;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Reads the owners of nodes. Thousands of requests may end in the same moment, and ask
 * for the holder of one key. They share one read for a second.
 */
final class OwnerReads {

	private static final long SHARED = TimeUnit.SECONDS.toNanos(1);

	private static final int MOST = 100;

	private final LockSession session;

	private final Map<String, Read> reads = new ConcurrentHashMap<>();

	OwnerReads(LockSession session) {
		this.session = session;
	}

	/**
	 * Return the owner of a node. If it is gone, return the one whose node is first now.
	 */
	CompletableFuture<Optional<LockHolder>> of(String path) {
		long now = this.session.nanoTime();
		Read before = this.reads.get(path);
		if (before != null && now - before.at() < SHARED) {
			return before.owner();
		}
		if (this.reads.size() >= MOST) {
			this.reads.clear();
		}
		Read read = new Read(now, new CompletableFuture<>());
		// Several threads may come here at once, and each of them reads.
		this.reads.put(path, read);
		read(path, read.owner(), true);
		return read.owner();
	}

	private void read(String path, CompletableFuture<Optional<LockHolder>> owner, boolean mayHaveGone) {
		this.session.zooKeeper()
			.getData(path, false,
					(int rc, String asked, Object context, byte @Nullable [] data, @Nullable Stat stat) -> {
						if (mayHaveGone && rc == Code.NONODE.intValue()) {
							readFirst(path.substring(0, path.lastIndexOf('/')), owner);
						}
						else {
							owner.complete(
									(stat != null) ? Optional.of(this.session.owner(data, stat)) : Optional.empty());
						}
					}, null);
	}

	// A contender watches only the one before it, so the lock may have another holder
	// now.
	private void readFirst(String directory, CompletableFuture<Optional<LockHolder>> owner) {
		if (this.session.requests().cuts().pause(directory) > 0) {
			owner.complete(Optional.empty());
			return;
		}
		this.session.requests()
			.send(CombinableRequest.listing(directory,
					this.session.replies().children((rc, asked, context, children) -> {
						QueueHolders queue = QueueHolders.of((children != null) ? children : List.of());
						if (queue.holders() > 0) {
							read(directory + "/" + queue.nodes().get(0).name(), owner, false);
						}
						else {
							owner.complete(Optional.empty());
						}
					})));
	}

	private record Read(long at, CompletableFuture<Optional<LockHolder>> owner) {

	}

}
