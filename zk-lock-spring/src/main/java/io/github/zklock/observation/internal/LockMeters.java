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

package io.github.zklock.observation.internal;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.internal.WorkRecords;
import io.github.zklock.observation.LockObservationContext.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one name and mode, which measure all its requests. Meters for alerts
 * exist from the first request on, so that their first increase can be seen.
 */
final class LockMeters {

	private final MeterRegistry registry;

	private final String name;

	private final Tags tags;

	private final AtomicInteger waiting = new AtomicInteger();

	private final AtomicInteger held = new AtomicInteger();

	private final AtomicReferenceArray<@Nullable Timer> waits = new AtomicReferenceArray<>(Outcome.values().length);

	private final Timer released;

	private final Timer releasedAfterLoss;

	private final Counter lost;

	private final Counter rollbacks;

	private final Counter unavailable;

	private volatile @Nullable TickMeters ticks;

	LockMeters(MeterRegistry registry, String name, LockMode mode) {
		this.registry = registry;
		this.name = name;
		this.tags = Tags.of(LockMetricNames.NAME, name, LockMetricNames.MODE, mode.name().toLowerCase(Locale.ROOT));
		gauge(LockMetricNames.WAITING, "Requests that have no answer yet", this.waiting);
		gauge(LockMetricNames.HELD, "Locks that are held, each nested one counted", this.held);
		this.released = hold(Outcome.RELEASED);
		this.releasedAfterLoss = hold(Outcome.LOST);
		this.lost = counter(LockMetricNames.LOST, "Locks that were lost while they were held");
		this.rollbacks = counter(LockMetricNames.ROLLBACKS,
				"Transactions that were rolled back since their lock was not known to be held");
		this.unavailable = counter(LockMetricNames.UNAVAILABLE,
				"Requests that failed because ZooKeeper did not answer");
		waited(Outcome.ACQUIRED);
	}

	/**
	 * Called when a lock is requested.
	 */
	void asked(LockRequest request) {
		this.waiting.incrementAndGet();
		if (request.tick() != null) {
			ticks();
		}
	}

	void acquired(LockRequest request, LockHandle handle, Duration waited) {
		this.held.incrementAndGet();
		answered(Outcome.ACQUIRED, waited);
		LockTick tick = request.tick();
		if (tick != null && !splits(request)) {
			ticks().run().increment();
			if (tick.isRecovery() || WorkRecords.attempt(handle) > 1) {
				ticks().recoveries().increment();
			}
		}
	}

	void notAcquired(LockRequest request, LockException exception) {
		Outcome outcome = Outcome.of(exception);
		answered(outcome, exception.getWaited());
		if (outcome == Outcome.UNAVAILABLE) {
			this.unavailable.increment();
		}
		boolean isSplit = splits(request) && exception instanceof LockNotAcquiredException other
				&& other.getRun() != null;
		if (outcome == Outcome.NOT_ACQUIRED && request.tick() != null && !isSplit) {
			ticks().skipped().increment();
		}
	}

	// It is no run, but comes before the runs of the shards.
	static boolean splits(LockRequest request) {
		return request.tick() != null && request.mode() == LockMode.READ;
	}

	void withdrawn(Duration waited) {
		answered(Outcome.WITHDRAWN, waited);
	}

	private void answered(Outcome outcome, Duration waited) {
		this.waiting.decrementAndGet();
		waited(outcome).record(waited.toNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Called when a run of a job has ended on this node.
	 */
	void ended(LockJob.Outcome outcome) {
		ticks().ended(outcome);
	}

	/**
	 * Called when this node is the first to see that all attempts at a tick have died.
	 */
	void givenUp() {
		ticks().givenUp().increment();
	}

	void notHeld() {
		this.held.decrementAndGet();
	}

	void lost() {
		this.lost.increment();
	}

	void rolledBack() {
		this.rollbacks.increment();
	}

	void released(boolean afterLoss, Duration held) {
		(afterLoss ? this.releasedAfterLoss : this.released).record(held.toNanos(), TimeUnit.NANOSECONDS);
	}

	// The registry has one meter for a name and its tags, so a second thread gets the
	// same.
	private Timer waited(Outcome outcome) {
		Timer known = this.waits.get(outcome.ordinal());
		if (known != null) {
			return known;
		}
		Timer timer = timer(LockMetricNames.WAIT, "Time from the request for a lock to the answer", outcome);
		this.waits.set(outcome.ordinal(), timer);
		return timer;
	}

	private TickMeters ticks() {
		TickMeters known = this.ticks;
		if (known != null) {
			return known;
		}
		TickMeters made = TickMeters.of(this.registry, this.name);
		this.ticks = made;
		return made;
	}

	private Timer hold(Outcome outcome) {
		return timer(LockMetricNames.HOLD, "Time from a lock to its release", outcome);
	}

	private Timer timer(String name, String description, Outcome outcome) {
		return Timer.builder(name)
			.description(description)
			.tags(this.tags)
			.tag(LockMetricNames.OUTCOME, outcome.text())
			.register(this.registry);
	}

	private Counter counter(String name, String description) {
		return Counter.builder(name).description(description).tags(this.tags).register(this.registry);
	}

	private void gauge(String name, String description, AtomicInteger value) {
		Gauge.builder(name, value, AtomicInteger::get)
			.description(description)
			.tags(this.tags)
			.strongReference(true)
			.register(this.registry);
	}

}
