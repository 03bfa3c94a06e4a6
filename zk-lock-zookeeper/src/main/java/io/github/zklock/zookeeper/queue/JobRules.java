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

package io.github.zklock.zookeeper.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.spi.RunOutcome;
import io.github.zklock.zookeeper.node.JobRecord;
import io.github.zklock.zookeeper.node.JobRecord.Attempt;
import io.github.zklock.zookeeper.node.JobRecord.Pause;
import io.github.zklock.zookeeper.node.JobRecord.Run;
import io.github.zklock.zookeeper.node.OwnerData;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a planned run may take place, from what the node of its job says.
 * {@link JobGate} reads and writes that node.
 */
final class JobRules {

	private static final double PART_OF_A_PERIOD = 0.9;

	private final Place place;

	private final LockTick tick;

	private final String path;

	private final JobMemory jobs;

	JobRules(Place place, LockTick tick, String path, JobMemory jobs) {
		this.place = place;
		this.tick = tick;
		this.path = path;
		this.jobs = jobs;
	}

	/** Return the time of a tick, in milliseconds. A run by hand is no tick. */
	static @Nullable Long time(LockTick tick) {
		return (tick.time() != null && !tick.isByHand()) ? tick.time().toEpochMilli() : null;
	}

	/**
	 * Return what refuses the run, or {@code null} if it may take place.
	 * @param record what the node says, if there is one that can be read
	 * @param version the version of the node
	 * @param recordedAt when the last run was recorded, in milliseconds of the leader
	 */
	@Nullable Function<AttemptFailures, LockException> refusal(@Nullable JobRecord record, int version, long recordedAt) {
		Run last = (record != null) ? record.last() : null;
		if (this.tick.isByHand() || goesOn(last)) {
			return null;
		}
		Pause pause = (record != null) ? record.paused() : null;
		if (pause != null) {
			return (failures) -> failures.paused(Instant.ofEpochMilli(pause.since()), pause.by());
		}
		if (this.tick.isRecovery() && (record == null || !record.hasTick())) {
			return AttemptFailures::hasNeverRun;
		}
		if (record == null || last == null) {
			return null;
		}
		Instant time = this.tick.time();
		if (time == null) {
			return isInPeriod(last, version, recordedAt) ? hasRun(record, last, this.tick) : null;
		}
		return refusal(record, last, record.overtaking(time.toEpochMilli(), recordedAt));
	}

	// The run was recorded with an earlier node of this call, or its work is tried again.
	private boolean goesOn(@Nullable Run last) {
		return last != null && last.call().equals(this.tick.call()) && last.outcome() != RunOutcome.DONE;
	}

	private @Nullable Function<AttemptFailures, LockException> refusal(JobRecord record, Run last,
			@Nullable Long other) {
		if (other == null) {
			return yieldsTo(record.unfinished()) ? AttemptFailures::yields : null;
		}
		Attempt attempt = isSplitOtherwise(last, other) ? null : unfinished(record, other);
		if (attempt == null) {
			LockTick run = LockTick.at(this.tick.schedule(), Instant.ofEpochMilli(other));
			return hasRun(record, last, other.equals(last.tick()) ? run.withShard(0, last.shards()) : run);
		}
		if (attempt.next() <= this.tick.maxAttempts()) {
			return null;
		}
		return (failures) -> failures.hasDied(attempt.next() - 1, runner(record, last));
	}

	// A shard of another number of shards is other work.
	private boolean isSplitOtherwise(Run last, long overtaking) {
		return last.tick() != null && last.tick() == overtaking && last.shards() != this.tick.shards();
	}

	// It may run again if it did not come to its end, and no later one has begun.
	private @Nullable Attempt unfinished(JobRecord record, long overtaking) {
		Attempt attempt = (this.tick.isRecoverable() && overtaking == Objects.requireNonNull(time(this.tick)))
				? record.attempt(overtaking) : null;
		return (attempt != null && attempt.isUnfinished()) ? attempt : null;
	}

	private boolean yieldsTo(@Nullable Long other) {
		return other != null && this.tick.yieldsTo(Instant.ofEpochMilli(other));
	}

	private boolean isInPeriod(Run run, int version, long recordedAt) {
		if (this.place.services.names().isOwn(run.process())) {
			return false;
		}
		long kept = (long) (this.tick.period().toNanos() * PART_OF_A_PERIOD);
		long known = this.jobs.since(this.path, version, this.place.services.tasks().nanoTime());
		Duration byLeader = this.place.session.clock().since(recordedAt);
		// The time of the leader is known once a node was created.
		return known < kept && byLeader != null && byLeader.toNanos() < kept;
	}

	private Function<AttemptFailures, LockException> hasRun(JobRecord record, Run last, LockTick run) {
		boolean isLast = run.isPeriodic() || Objects.equals(last.tick(), time(run));
		LockHolder runner = isLast ? runner(record, last) : null;
		return (failures) -> failures.hasRun(run, runner);
	}

	private LockHolder runner(JobRecord record, Run last) {
		return OwnerData.read(record.runner(), this.place.session.clock().since(last.began()));
	}

	/**
	 * Return whether the last run has to end first, since its end decides. A tick that
	 * may have several attempts waits for the end of the last one.
	 * @param queue the nodes in the queue of the key
	 */
	boolean waitsForLast(@Nullable JobRecord record, @Nullable List<String> queue) {
		Run last = (record != null) ? record.last() : null;
		if (last == null || queue == null || time(this.tick) == null || last.tick() == null) {
			return false;
		}
		boolean matters = last.tick().equals(time(this.tick)) ? this.tick.isRecoverable() : yieldsTo(last.tick());
		return matters && last.outcome() == null && queue.contains(last.lock());
	}

	/** Return the number of the attempt that begins now. */
	int attempt(@Nullable JobRecord record) {
		Long time = time(this.tick);
		Attempt before = (record != null && time != null) ? record.attempt(time) : null;
		Run last = (record != null) ? record.last() : null;
		if (before == null) {
			return 1;
		}
		return goesOn(last) ? before.number() : before.next();
	}

}
