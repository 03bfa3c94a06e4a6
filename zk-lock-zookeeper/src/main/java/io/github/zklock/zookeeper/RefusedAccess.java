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
import java.util.function.UnaryOperator;

import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.internal.LockKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers that ZooKeeper has refused requests of this client, until a lock is acquired
 * again. It logs the refusal at most once a minute for each name of a lock. The refusal
 * may concern one key only, so it is a problem of the whole client for a minute.
 */
final class RefusedAccess {

	private static final Logger logger = LoggerFactory.getLogger(RefusedAccess.class);

	private static final long PERIOD = TimeUnit.MINUTES.toNanos(1);

	private static final int MOST_NAMES = 1000;

	private final LongSupplier clock;

	private final String label;

	private final Map<String, Long> logged = new ConcurrentHashMap<>();

	private final UnaryOperator<String> shownKey;

	private volatile @Nullable Refusal last;

	/**
	 * Create an instance.
	 * @param shownKey returns what is shown in the place of a key
	 */
	RefusedAccess(LongSupplier clock, String label, UnaryOperator<String> shownKey) {
		this.clock = clock;
		this.label = label;
		this.shownKey = shownKey;
	}

	/**
	 * Return what was refused in the last minute, or {@code null} if a lock was acquired
	 * since.
	 */
	@Nullable String problem() {
		Refusal refusal = this.last;
		return (refusal != null && this.clock.getAsLong() - refusal.at() < PERIOD) ? refusal.text() : null;
	}

	/**
	 * Return what was refused last, or {@code null} if a lock was acquired since.
	 */
	@Nullable String last() {
		Refusal refusal = this.last;
		return (refusal != null) ? refusal.text() : null;
	}

	void granted() {
		if (this.last != null) {
			this.last = null;
		}
	}

	void refused(LockRequest request, LockAccessException refusal) {
		String text = text(request, refusal);
		this.last = new Refusal(text, this.clock.getAsLong());
		if (isDue(request.name())) {
			logger.error(
					"ZooKeeper refuses this client{}: {}. Until that is changed, calls that need the lock named "
							+ "'{}' fail; this line is repeated once a minute",
					this.label, text, LockKeys.printable(request.name()));
		}
	}

	private String text(LockRequest request, LockAccessException refusal) {
		String lock = LockKeys.describe(request.key(), request.mode());
		String shown = LockKeys.describe(this.shownKey.apply(request.key()), request.mode());
		return String.valueOf(refusal.getMessage()).replace(lock, shown);
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

	private record Refusal(String text, long at) {

	}

}
