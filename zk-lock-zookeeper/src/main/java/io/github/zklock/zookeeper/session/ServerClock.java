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

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Estimates the clock of the servers from the nodes that a session has created. It tells
 * the age of other nodes, so that clocks need not agree. It never decides which contender
 * holds a lock.
 */
public final class ServerClock {

	private final LongSupplier time;

	private volatile @Nullable Reading last;

	ServerClock(LongSupplier time) {
		this.time = time;
	}

	/**
	 * Set the clock. Called when a node was created just now.
	 * @param createdAt the time of that, in milliseconds of the server
	 */
	public void read(long createdAt) {
		this.last = new Reading(createdAt, this.time.getAsLong());
	}

	/**
	 * Return the time of the servers, rather too early than too late, if known.
	 */
	public @Nullable Instant now() {
		Reading reading = this.last;
		return (reading != null)
				? Instant.ofEpochMilli(reading.millis()).plusNanos(this.time.getAsLong() - reading.nanoTime()) : null;
	}

	/**
	 * Return how long ago a node was created, if that is known.
	 * @param createdAt when it was, in milliseconds of the server
	 */
	public @Nullable Duration since(long createdAt) {
		Instant now = now();
		Duration age = (now != null) ? Duration.between(Instant.ofEpochMilli(createdAt), now) : null;
		return (age != null && age.isNegative()) ? Duration.ZERO : age;
	}

	private record Reading(long millis, long nanoTime) {

	}

}
