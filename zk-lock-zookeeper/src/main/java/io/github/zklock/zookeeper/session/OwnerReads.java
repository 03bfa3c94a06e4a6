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

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHolder;
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
	 * Return the owner of a node, or empty if the node cannot be read.
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
		this.session.zooKeeper()
			.getData(path, false,
					(int rc, String asked, Object context, byte @Nullable [] data, @Nullable Stat stat) -> read.owner()
						.complete((stat != null) ? Optional.of(this.session.owner(data, stat)) : Optional.empty()),
					null);
		return read.owner();
	}

	private record Read(long at, CompletableFuture<Optional<LockHolder>> owner) {

	}

}
