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
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockTick;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a {@link ScheduledRun} before it begins.
 *
 * @param task the text of the task
 * @param time the time for which it is planned, or {@code null} if it is periodic
 * @param period the time between two periodic runs, or zero
 * @param late whether it only makes up for another run
 * @param missed what looks for missed runs of the task
 * @param begun ends when the method of a run by hand begins
 * @param repeat what is known if it repeats another run
 * @param wanted whether the method is to be called on an object
 * @param shard which shard it is, or {@code null} if it is for all or for none
 * @param shards how many there are, 1 if that is not known yet
 * @param helper which helper of a run of this node it is, 0 if it is none
 */
record RunPlan(String task, @Nullable Instant time, Duration period, boolean late, @Nullable MissedRuns missed,
		@Nullable CompletableFuture<@Nullable Void> begun, @Nullable Repeat repeat, @Nullable Predicate<Object> wanted,
		@Nullable Integer shard, int shards, int helper) {

	static RunPlan at(String task, @Nullable Instant time, boolean late, @Nullable MissedRuns missed) {
		return new RunPlan(task, time, Duration.ZERO, late, missed, null, null, null, null, 1, 0);
	}

	static RunPlan every(String task, Duration period) {
		return new RunPlan(task, null, period, false, null, null, null, null, null, 1, 0);
	}

	RunPlan byHand(CompletableFuture<@Nullable Void> begun) {
		return new RunPlan(this.task, this.time, this.period, this.late, this.missed, begun, null, null, null, 1, 0);
	}

	RunPlan repeating(LockJob.Run died, Runnable settled) {
		return new RunPlan(this.task, Objects.requireNonNull(died.time(), "It was planned"), this.period, true,
				this.missed, null, new Repeat(died, settled), null, null, 1, 0);
	}

	RunPlan on(@Nullable Predicate<Object> wanted, @Nullable Integer shard) {
		return new RunPlan(this.task, this.time, this.period, this.late, this.missed, this.begun, this.repeat, wanted,
				shard, this.shards, this.helper);
	}

	RunPlan part(int shard, int shards) {
		return new RunPlan(this.task, this.time, this.period, this.late, this.missed, this.begun, this.repeat,
				this.wanted, shard, shards, this.helper);
	}

	RunPlan helper(int number) {
		return new RunPlan(this.task, this.time, this.period, this.late, this.missed, this.begun, this.repeat,
				this.wanted, this.shard, this.shards, number);
	}

	@Nullable LockTick toTick(String schedule, Duration shortestPeriod) {
		LockTick tick = planned(schedule, shortestPeriod);
		LockTick started = (tick != null && this.begun != null) ? tick.byHand() : tick;
		return (started != null && this.shard != null && this.shards > 1) ? started.withShard(this.shard, this.shards)
				: started;
	}

	private @Nullable LockTick planned(String schedule, Duration shortestPeriod) {
		if (this.time != null) {
			LockTick tick = LockTick.at(schedule, this.time);
			return this.late ? tick.late() : tick;
		}
		if (this.period.isZero() || this.period.compareTo(shortestPeriod) < 0) {
			return null;
		}
		boolean tooLong = this.period.compareTo(LockTick.LONGEST_PERIOD) > 0;
		return LockTick.every(schedule, tooLong ? LockTick.LONGEST_PERIOD : this.period);
	}

	/**
	 * What is known of a run that repeats another one.
	 *
	 * @param died the other run
	 * @param settled called when the repeated run begins, or cannot take place
	 */
	record Repeat(LockJob.Run died, Runnable settled) {

	}

}
