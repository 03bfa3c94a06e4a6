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

package io.github.zklock.autoconfigure;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.CountDownLatch;

import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still before a tick until all nodes have planned it, so that no
 * machine is too slow.
 */
final class StandingClock extends Clock {

	private final Instant tick;

	private final CountDownLatch going = new CountDownLatch(1);

	private volatile @Nullable Duration offset;

	StandingClock(Instant tick) {
		this.tick = tick;
	}

	/** Go on from the tick. */
	synchronized void go() {
		if (this.offset == null) {
			this.offset = Duration.between(Instant.now(), this.tick);
			this.going.countDown();
		}
	}

	void awaitGoing() throws InterruptedException {
		this.going.await();
	}

	@Override
	public Instant instant() {
		return at(Instant.now());
	}

	/** Return what the clock shows at a time of the system. */
	Instant at(Instant time) {
		Duration known = this.offset;
		return (known != null) ? time.plus(known) : this.tick.minusSeconds(2);
	}

	@Override
	public ZoneId getZone() {
		return ZoneOffset.UTC;
	}

	@Override
	public Clock withZone(ZoneId zone) {
		return this;
	}

}
