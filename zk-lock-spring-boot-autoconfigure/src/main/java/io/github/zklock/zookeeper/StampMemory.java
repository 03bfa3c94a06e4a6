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

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * When this process has first seen a stamp. Its own monotonic clock decides from there
 * on; no clock of another machine is asked. What was forgotten, or was there before this
 * process, counts from now: the key is then kept for longer, never for less.
 */
final class StampMemory {

	private static final int MAX_SIZE = 10_000;

	private final ReentrantLock lock = new ReentrantLock();

	private final Map<String, Long> firstSeen = new LinkedHashMap<>() {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
			return size() > MAX_SIZE;
		}

	};

	/**
	 * Return how many nanoseconds are left until nobody can rely on a stamp any more.
	 */
	long left(KeepStamp stamp) {
		long now = System.nanoTime();
		return stamp.nanos() - (now - seen(stamp.name(), now));
	}

	/**
	 * Remember a stamp.
	 * @param name its name
	 * @param now when, by {@link System#nanoTime()}
	 * @return when it was seen first
	 */
	long seen(String name, long now) {
		this.lock.lock();
		try {
			Long before = this.firstSeen.putIfAbsent(name, now);
			return (before != null) ? before : now;
		}
		finally {
			this.lock.unlock();
		}
	}

	void forget(String name) {
		this.lock.lock();
		try {
			this.firstSeen.remove(name);
		}
		finally {
			this.lock.unlock();
		}
	}

	int size() {
		this.lock.lock();
		try {
			return this.firstSeen.size();
		}
		finally {
			this.lock.unlock();
		}
	}

}
