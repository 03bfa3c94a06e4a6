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

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import io.github.zklock.zookeeper.node.QueueNode;
import io.github.zklock.zookeeper.queue.QueueContender;
import io.github.zklock.zookeeper.queue.QueueContender.Outcome;
import io.github.zklock.zookeeper.tasks.MendedTasks;
import org.jspecify.annotations.Nullable;

/**
 * Lets requests that do not wait stay briefly behind a node that its process may cache,
 * so that it can be given back. Guarded by the lock of the queue.
 */
final class TryGrace {

	private static final int PART_OF_A_TRY = 5;

	private final MendedTasks tasks;

	private @Nullable QueueContender waiting;

	private long end;

	TryGrace(MendedTasks tasks) {
		this.tasks = tasks;
	}

	/**
	 * Return whether it is too early to refuse requests that do not wait.
	 * @param bound how long the first request may take, in nanoseconds
	 * @param behind the contender of the requests
	 * @param outcome is told again later that the contender is behind others
	 */
	boolean isGiven(long bound, QueueContender behind, Outcome outcome) {
		if (!QueueNode.isCacheable(behind.obstacle())) {
			return false;
		}
		if (this.waiting != behind) {
			this.waiting = behind;
			long length = bound / PART_OF_A_TRY;
			this.end = this.tasks.nanoTime() + length;
			return lookAgain(behind, length, outcome);
		}
		return this.end - this.tasks.nanoTime() > 0;
	}

	private boolean lookAgain(QueueContender behind, long delay, Outcome outcome) {
		try {
			this.tasks.schedule(() -> behind.locked(() -> outcome.queued(behind)), delay, TimeUnit.NANOSECONDS);
			return true;
		}
		catch (RejectedExecutionException ex) {
			return false;
		}
	}

}
