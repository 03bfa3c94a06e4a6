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

package io.github.zklock.zookeeper.queue;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockHolder;
import io.github.zklock.zookeeper.node.OwnerData;
import io.github.zklock.zookeeper.session.LockSession;
import io.github.zklock.zookeeper.tasks.BoundedWait;
import io.github.zklock.zookeeper.tasks.MendedTasks;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Asks who holds the lock that a contender waited for in vain, or has run its tick,
 * within a short bound.
 */
public final class HolderLookup {

	private static final long BOUND_MS = 50;

	private HolderLookup() {
	}

	/**
	 * Ask whose a node is.
	 * @param path the path of the node, if one is known
	 */
	public static CompletableFuture<Optional<LockHolder>> of(MendedTasks tasks, LockSession session,
			@Nullable String path) {
		return (path != null) ? tasks.within(BOUND_MS, find(session, path), Optional.empty())
				: CompletableFuture.completedFuture(Optional.empty());
	}

	/**
	 * Return whose a node is, on the calling thread.
	 */
	static @Nullable LockHolder now(LockSession session, String path) {
		CompletableFuture<Optional<LockHolder>> holder = find(session, path);
		BoundedWait.unlessInterrupted(holder, Duration.ofMillis(BOUND_MS));
		return holder.getNow(Optional.empty()).orElse(null);
	}

	private static CompletableFuture<Optional<LockHolder>> find(LockSession session, String path) {
		CompletableFuture<Optional<LockHolder>> answer = new CompletableFuture<>();
		session.zooKeeper()
			.getData(path, false,
					(int rc, String asked, Object context, byte @Nullable [] data,
							@Nullable Stat stat) -> answer.complete((stat != null)
									? Optional.of(OwnerData.read(data, session.clock().since(stat.getCtime())))
									: Optional.empty()),
					null);
		return answer;
	}

}
