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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The locks that are held through a provider.
 */
final class HeldLocks {

	private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition none = this.lock.newCondition();

	private final Set<ZooKeeperLockHandle> handles = new HashSet<>();

	void add(ZooKeeperLockHandle handle) {
		this.lock.lock();
		try {
			this.handles.add(handle);
		}
		finally {
			this.lock.unlock();
		}
	}

	void remove(ZooKeeperLockHandle handle) {
		this.lock.lock();
		try {
			if (this.handles.remove(handle) && this.handles.isEmpty()) {
				this.none.signalAll();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	int size() {
		this.lock.lock();
		try {
			return this.handles.size();
		}
		finally {
			this.lock.unlock();
		}
	}

	void awaitNone(Duration bound) {
		this.lock.lock();
		try {
			long left = (bound.compareTo(LONGEST) < 0) ? bound.toNanos() : Long.MAX_VALUE;
			while (!this.handles.isEmpty() && left > 0) {
				left = this.none.awaitNanos(left);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.lock.unlock();
		}
	}

	void revokeAll() {
		List<ZooKeeperLockHandle> left;
		this.lock.lock();
		try {
			left = List.copyOf(this.handles);
		}
		finally {
			this.lock.unlock();
		}
		left.forEach(ZooKeeperLockHandle::revoke);
	}

}
