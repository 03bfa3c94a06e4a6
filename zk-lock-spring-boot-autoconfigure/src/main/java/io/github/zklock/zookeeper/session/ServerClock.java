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
 * What the clock of the servers shows, as far as a session has learnt from the nodes that
 * were created for it. Says how old other nodes are, so that clocks need not agree; never
 * decides who holds a lock.
 */
public final class ServerClock {

	private final LongSupplier time;

	private volatile @Nullable Reading last;

	/**
	 * Create an instance.
	 * @param time the clock of this process, in nanoseconds
	 */
	ServerClock(LongSupplier time) {
		this.time = time;
	}

	/**
	 * A node was created just now.
	 * @param createdAt when, in milliseconds of the server
	 */
	public void read(long createdAt) {
		this.last = new Reading(createdAt, this.time.getAsLong());
	}

	/**
	 * Return what the clock shows now, if anything is known: rather less than more.
	 */
	public @Nullable Instant now() {
		Reading reading = this.last;
		return (reading != null)
				? Instant.ofEpochMilli(reading.millis()).plusNanos(this.time.getAsLong() - reading.nanoTime()) : null;
	}

	/**
	 * Return how long ago a node was created, if anything is known.
	 * @param createdAt when it was, in milliseconds of the server
	 */
	public @Nullable Duration since(long createdAt) {
		Reading reading = this.last;
		if (reading == null) {
			return null;
		}
		Duration before = Duration.ofMillis(reading.millis() - createdAt);
		Duration age = before.plusNanos(this.time.getAsLong() - reading.nanoTime());
		return age.isNegative() ? Duration.ZERO : age;
	}

	private record Reading(long millis, long nanoTime) {

	}

}
