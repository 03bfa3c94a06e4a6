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

package org.apache.zookeeper;

import java.util.concurrent.TimeUnit;

import io.github.zklock.simulation.Lane;
import io.github.zklock.simulation.Lane.Scheduled;
import io.github.zklock.simulation.Schedule;
import org.jspecify.annotations.Nullable;

/**
 * When the sending thread of a client goes round its loop: when there is something to
 * send, and when it has to look at its clock.
 */
final class SendRounds {

	private final Schedule schedule;

	private final Lane lane;

	private final Runnable round;

	private @Nullable Scheduled timer;

	private long timerDue = Long.MAX_VALUE;

	private boolean woken;

	SendRounds(Schedule schedule, Lane lane, Runnable round) {
		this.schedule = schedule;
		this.lane = lane;
		this.round = round;
	}

	long millis() {
		return TimeUnit.NANOSECONDS.toMillis(this.schedule.now());
	}

	/**
	 * Go round soon.
	 */
	void wake() {
		if (!this.woken) {
			this.woken = true;
			this.lane.run("send", () -> {
				this.woken = false;
				this.round.run();
			});
		}
	}

	/**
	 * Go round after a time at the latest. A round that comes early does no harm.
	 */
	void wakeAfter(long millis) {
		long due = millis() + Math.max(millis, 1);
		if (due >= this.timerDue) {
			return;
		}
		if (this.timer != null) {
			this.timer.cancel();
		}
		this.timerDue = due;
		this.timer = this.lane.after(TimeUnit.MILLISECONDS.toNanos(due) - this.schedule.now(), "time", () -> {
			this.timerDue = Long.MAX_VALUE;
			if (millis() > due) {
				// The process was paused: the client reads what has come before it looks
				// at
				// its clock.
				wake();
			}
			else {
				this.round.run();
			}
		});
	}

}
