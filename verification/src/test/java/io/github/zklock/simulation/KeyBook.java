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

package io.github.zklock.simulation;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import org.jspecify.annotations.Nullable;

/**
 * What the judge knows of a key: its tokens, who keeps it taken, and who waits. It is
 * also the resource that the key protects, which rejects writes by their token.
 */
final class KeyBook {

	// Stamps count in milliseconds.
	private static final long ONE_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	private final Map<Hold, Long> kept = new LinkedHashMap<>();

	private long writer;

	private long reader;

	private long writtenByWriter;

	private long writtenByReader;

	private long freeSince;

	private long waitingSince;

	private int waiting;

	private static boolean reads(Hold hold) {
		return hold.request().mode() == LockMode.READ;
	}

	/**
	 * Return the greatest token of those who exclude the holder; 0 if permits share the
	 * key.
	 */
	long tokenBefore(Hold hold) {
		if (hold.request().permits() > 1) {
			return 0;
		}
		return reads(hold) ? this.writer : Math.max(this.writer, this.reader);
	}

	void granted(Hold hold) {
		if (hold.request().permits() > 1) {
			return;
		}
		if (reads(hold)) {
			this.reader = Math.max(this.reader, hold.token());
		}
		else {
			this.writer = hold.token();
		}
	}

	/**
	 * Take a write.
	 * @return whether its token is not too small
	 */
	boolean accepts(Hold hold) {
		long before = reads(hold) ? this.writtenByWriter : Math.max(this.writtenByWriter, this.writtenByReader);
		if (hold.token() < before) {
			return false;
		}
		if (reads(hold)) {
			this.writtenByReader = Math.max(this.writtenByReader, hold.token());
		}
		else {
			this.writtenByWriter = hold.token();
		}
		return true;
	}

	/**
	 * Return who kept the key taken when the holder was granted it.
	 */
	@Nullable Hold keeperBefore(Hold hold) {
		for (Map.Entry<Hold, Long> each : this.kept.entrySet()) {
			if (each.getKey().excludes(hold) && hold.grantedAt() < each.getValue() - ONE_MILLI) {
				return each.getKey();
			}
		}
		return null;
	}

	void keep(Hold hold) {
		if (!hold.request().lockAtLeastFor().isZero()) {
			this.kept.put(hold, hold.grantedAt() + hold.request().lockAtLeastFor().toNanos());
		}
	}

	/**
	 * The holder does not keep the key taken any more.
	 */
	void forgo(Hold hold) {
		this.kept.remove(hold);
	}

	void waits(long now) {
		if (this.waiting++ == 0) {
			this.waitingSince = now;
		}
	}

	/**
	 * A request has ended without the lock. In a pause no request can get it.
	 */
	void leaves(long now, @Nullable Throwable failure) {
		this.waiting--;
		if (failure instanceof LockNotAcquiredException refusal && refusal.getPausedSince() != null) {
			this.freeSince = now;
		}
	}

	boolean isWanted() {
		return this.waiting > 0;
	}

	/**
	 * A holder is gone.
	 */
	void left(long now) {
		this.freeSince = now;
	}

	/**
	 * Return since when somebody waits and nobody holds the key or keeps it taken, if
	 * nobody holds it.
	 */
	long idleSince() {
		long keptUntil = this.kept.values().stream().mapToLong(Long::longValue).max().orElse(0);
		return Math.max(Math.max(this.freeSince, this.waitingSince), keptUntil);
	}

}
