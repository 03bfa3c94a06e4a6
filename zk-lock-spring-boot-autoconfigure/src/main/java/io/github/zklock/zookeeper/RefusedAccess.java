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

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers that ZooKeeper has refused requests of this client, until a lock is acquired
 * again, and logs it at most once a minute for each name of a lock.
 */
final class RefusedAccess {

	private static final Logger logger = LoggerFactory.getLogger(RefusedAccess.class);

	private static final long PERIOD = TimeUnit.MINUTES.toNanos(1);

	private static final int MOST_NAMES = 1000;

	private final LongSupplier clock;

	private final String label;

	private final Map<String, Long> logged = new ConcurrentHashMap<>();

	private volatile @Nullable String problem;

	RefusedAccess(LongSupplier clock, String label) {
		this.clock = clock;
		this.label = label;
	}

	/**
	 * Return what was refused last, or {@code null} if a lock was acquired since.
	 */
	@Nullable String problem() {
		return this.problem;
	}

	void granted() {
		if (this.problem != null) {
			this.problem = null;
		}
	}

	void refused(LockRequest request, LockAccessException refusal) {
		this.problem = refusal.getMessage();
		if (isDue(request.name())) {
			logger.error(
					"ZooKeeper refuses this client{}: {}. Until that is changed, calls that need the lock named "
							+ "'{}' fail; this line is repeated once a minute",
					this.label, refusal.getMessage(), LockException.printable(request.name()));
		}
	}

	private boolean isDue(String name) {
		long now = this.clock.getAsLong();
		// Names are few. If they are not, more lines are better than a leak.
		if (this.logged.size() >= MOST_NAMES) {
			this.logged.clear();
		}
		Long last = this.logged.putIfAbsent(name, now);
		return last == null || (now - last >= PERIOD && this.logged.replace(name, last, now));
	}

}
