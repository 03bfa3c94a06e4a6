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

package io.github.zklock.scheduling;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.TriggerContext;

/**
 * A trigger that remembers the times it has planned, for the runs of its task to ask for
 * one each. A scheduler may plan the next run before it begins the last one on another
 * thread.
 */
final class PlannedTimes implements Trigger {

	private static final Duration LONGEST_DELAY = Duration.ofMinutes(1);

	private final Trigger trigger;

	private final Deque<Instant> planned = new ArrayDeque<>();

	private @Nullable Instant begun;

	PlannedTimes(Trigger trigger) {
		this.trigger = trigger;
	}

	@Override
	public @Nullable Instant nextExecution(TriggerContext context) {
		Instant next = this.trigger.nextExecution(context);
		if (next != null) {
			add(next);
		}
		return next;
	}

	// A run that the scheduler refused to begin leaves its time here.
	private synchronized void add(Instant next) {
		this.planned.removeIf((time) -> time.plus(LONGEST_DELAY).isBefore(next));
		this.planned.add(next);
	}

	/**
	 * Return the time of the run that begins now: the oldest one, or that of the run
	 * before if none is left, so that no run is without a time.
	 * @return the time, or {@code null} if none was ever planned
	 */
	synchronized @Nullable Instant next() {
		Instant oldest = this.planned.poll();
		this.begun = (oldest != null) ? oldest : this.begun;
		return this.begun;
	}

	@Override
	public String toString() {
		return this.trigger.toString();
	}

}
