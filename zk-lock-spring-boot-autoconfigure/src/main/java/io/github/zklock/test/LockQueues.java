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

package io.github.zklock.test;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockPermitsException;
import io.github.zklock.core.LockState;
import org.jspecify.annotations.Nullable;

/**
 * One queue for each key in use. Whoever stands at the front holds the lock, together
 * with those directly behind that may share it; all in a queue ask for the same number of
 * permits. Every change of a queue or of a handle's state happens under the monitor of
 * this object.
 */
final class LockQueues {

	private final Map<String, Deque<InMemoryLockHandle>> queues = new HashMap<>();

	private final InMemoryTicks ticks = new InMemoryTicks();

	private long lastToken;

	synchronized void join(InMemoryLockHandle handle) {
		InMemoryTicks.Run run = this.ticks.before(handle.request());
		if (run != null) {
			handle.refuse(run);
			return;
		}
		Deque<InMemoryLockHandle> queue = this.queues.computeIfAbsent(handle.key(), (key) -> new ArrayDeque<>());
		InMemoryLockHandle first = queue.peekFirst();
		if (first != null && first.request().permits() != handle.request().permits()) {
			throw new LockPermitsException(handle.request(), Duration.ZERO, first.request().permits());
		}
		queue.addLast(handle);
		grant(queue);
	}

	// False when the lock was granted or refused in the same moment.
	synchronized boolean withdraw(InMemoryLockHandle handle) {
		if (handle.granted().isDone()) {
			return false;
		}
		leave(handle);
		return true;
	}

	synchronized void release(InMemoryLockHandle handle) {
		if (handle.end()) {
			leaveInTime(handle);
		}
	}

	// Also of a lock that was lost, whose key is kept until now.
	synchronized void forgo(InMemoryLockHandle handle) {
		handle.keepNoLonger();
		if (handle.end() || handle.state() == LockState.LOST) {
			leave(handle);
		}
	}

	synchronized List<InMemoryLockHandle> lose(String key) {
		Deque<InMemoryLockHandle> queue = this.queues.get(key);
		if (queue == null) {
			return List.of();
		}
		// First all, then the next: a reader must not inherit from the one beside it.
		List<InMemoryLockHandle> lost = queue.stream().filter(InMemoryLockHandle::lose).toList();
		lost.forEach(this::leaveInTime);
		return lost;
	}

	synchronized List<InMemoryLockHandle> loseAll() {
		List<InMemoryLockHandle> lost = new ArrayList<>();
		for (String key : List.copyOf(this.queues.keySet())) {
			lost.addAll(lose(key));
		}
		return lost;
	}

	synchronized @Nullable LockHolder holder(String key) {
		Deque<InMemoryLockHandle> queue = this.queues.get(key);
		return (queue != null) ? queue.getFirst().holder() : null;
	}

	synchronized int size() {
		return this.queues.size();
	}

	/**
	 * Return how long the holder keeps a key at least, if that time is not over.
	 */
	synchronized @Nullable Duration kept(String key) {
		Deque<InMemoryLockHandle> queue = this.queues.get(key);
		InMemoryLockHandle first = (queue != null) ? queue.getFirst() : null;
		return (first != null && first.keptNanos() > 0) ? first.request().atLeast() : null;
	}

	private void leaveInTime(InMemoryLockHandle handle) {
		long kept = handle.keptNanos();
		if (kept <= 0) {
			leave(handle);
			return;
		}
		Delay.run(() -> {
			synchronized (this) {
				leave(handle);
			}
		}, kept);
	}

	private void leave(InMemoryLockHandle handle) {
		Deque<InMemoryLockHandle> queue = this.queues.get(handle.key());
		if (queue != null && queue.remove(handle)) {
			grant(queue);
			if (queue.isEmpty()) {
				this.queues.remove(handle.key());
			}
		}
	}

	private void grant(Deque<InMemoryLockHandle> queue) {
		InMemoryLockHandle first = null;
		int ahead = 0;
		Iterator<InMemoryLockHandle> handles = queue.iterator();
		while (handles.hasNext()) {
			InMemoryLockHandle handle = handles.next();
			if (first != null && ahead >= handle.request().permits() && !handle.mode().isCompatibleWith(first.mode())) {
				return;
			}
			if (!handle.granted().isDone() && !grant(handle)) {
				handles.remove();
				continue;
			}
			first = (first != null) ? first : handle;
			ahead++;
		}
	}

	private boolean grant(InMemoryLockHandle handle) {
		InMemoryTicks.Run run = this.ticks.before(handle.request());
		if (run != null) {
			handle.refuse(run);
			return false;
		}
		handle.grant(++this.lastToken);
		this.ticks.add(handle.request(), handle.holder());
		return true;
	}

}
