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

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.github.zklock.core.LockLoss;

/**
 * Which losses were seen, and of which of them the listeners were told. A listener runs
 * on a thread of its own, so it may be told a moment after somebody has seen the loss.
 */
final class LossBook {

	private static final long TOLD = TimeUnit.MILLISECONDS.toNanos(150);

	// By the periodic check, once or twice.
	private static final long TOLD_AFTER_AN_ERROR = TimeUnit.MILLISECONDS.toNanos(4200);

	private final Judge judge;

	private final LongSupplier clock;

	private final Map<Hold, Long> untold = new LinkedHashMap<>();

	private final Set<Hold> told = new HashSet<>();

	LossBook(Judge judge, LongSupplier clock) {
		this.judge = judge;
		this.clock = clock;
	}

	// The time in which the process of a holder goes on.
	private long time(Hold hold) {
		return this.clock.getAsLong() - hold.process().pausedNanos();
	}

	/**
	 * Somebody has seen that a lock is lost.
	 */
	void seen(Hold hold) {
		if (!this.told.contains(hold)) {
			this.untold.putIfAbsent(hold, time(hold));
		}
	}

	/**
	 * The listener of a lock is told that it is lost.
	 */
	void told(Hold hold) {
		if (!hold.isLost()) {
			throw this.judge.violated("onLost",
					"a listener is told that " + hold + " is lost, which is " + hold.handle().state(), null);
		}
		this.untold.remove(hold);
		if (!this.told.add(hold)) {
			throw this.judge.violated("onLost", "a listener is told twice that " + hold + " is lost", null);
		}
		this.judge.lost(hold);
	}

	/**
	 * Nobody of a process can be told any more.
	 */
	void gone(Participant process) {
		this.untold.keySet().removeIf((hold) -> hold.process() == process);
	}

	/**
	 * Look whether all are told of what they have lost.
	 */
	void requireAllTold() {
		this.untold.forEach((hold, since) -> {
			long bound = (hold.handle().loss() == LockLoss.ENGINE_FAILED) ? TOLD_AFTER_AN_ERROR : TOLD;
			if (!hold.process().isPaused() && time(hold) - since > bound) {
				throw this.judge.violated("onLost", "no listener is told that " + hold + " is lost", null);
			}
		});
	}

}
