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

package io.github.zklock.zookeeper.node;

import java.util.Objects;

import io.github.zklock.core.spi.RunOutcome;
import org.jspecify.annotations.Nullable;

/**
 * A run before the last one.
 *
 * @param tick for which time it was planned; {@code null} if it is periodic or was
 * started by hand
 * @param byHand whether it was started by hand
 * @param recordedAt when it was recorded last, by the clock of the leader
 * @param began when it began
 * @param ended when it ended, if it is known to have
 * @param outcome how it ended
 * @param attempt which attempt at the tick it was
 * @param runner who ran it
 */
public record EarlierRun(@Nullable Long tick, boolean byHand, long recordedAt, long began, @Nullable Long ended,
		@Nullable RunOutcome outcome, int attempt, String runner) {

	private static final int FIELDS = 7;

	/** Return who ran it, if that may be known. */
	public @Nullable String knownRunner() {
		return this.runner.equals(JobText.NOTHING) ? null : this.runner;
	}

	/** Return whether it is a run that has become an earlier one. */
	public boolean isOf(JobRecord.Run run) {
		return Objects.equals(this.tick, run.tick()) && this.attempt == run.attempt()
				&& (this.tick != null || this.began == run.began());
	}

	/**
	 * Return the record of a job with the end of an earlier run.
	 * @param run the run, which has ended
	 * @param writtenAt when the node was written last, by the clock of the leader
	 */
	public static JobRecord end(JobRecord record, JobRecord.Run run, long writtenAt) {
		return new JobRecord(record.job(), record.paused(), record.recordedAt(writtenAt), record.last(),
				record.runner(),
				record.earlier().stream().map((each) -> each.isOf(run) ? each.end(run) : each).toList(),
				record.pauses());
	}

	private EarlierRun end(JobRecord.Run run) {
		return new EarlierRun(this.tick, this.byHand, this.recordedAt, this.began, run.ended(), run.outcome(),
				this.attempt, this.runner);
	}

	EarlierRun until(long latest) {
		return new EarlierRun(this.tick, this.byHand, Math.min(this.recordedAt, latest), Math.min(this.began, latest),
				(this.ended != null) ? (Long) Math.min(this.ended, latest) : null, this.outcome, this.attempt,
				this.runner);
	}

	String line() {
		return OwnerData.line("run",
				String.join(" ", JobText.tick(this.tick, this.byHand), JobText.instant(this.recordedAt),
						JobText.instant(this.began), JobText.instant(this.ended),
						(this.outcome != null) ? JobText.outcome(this.outcome) : JobText.NOTHING,
						Integer.toString(this.attempt), this.runner));
	}

	static @Nullable EarlierRun parse(String value) {
		String[] fields = value.split(" ", FIELDS);
		if (fields.length < FIELDS || !JobRecord.NUMBER.matcher(fields[5]).matches()) {
			return null;
		}
		boolean byHand = fields[0].equals(JobText.BY_HAND);
		Long tick = (byHand || fields[0].equals(JobText.NOTHING)) ? null : JobText.millis(fields[0]);
		Long ended = fields[3].equals(JobText.NOTHING) ? null : JobText.millis(fields[3]);
		RunOutcome outcome = JobText.outcome(fields[4]);
		long recordedAt = JobText.millis(fields[1]);
		long began = JobText.millis(fields[2]);
		boolean fits = (tick == null || tick >= 0) && recordedAt >= 0 && began >= 0 && (ended == null || ended >= 0)
				&& (outcome != null || fields[4].equals(JobText.NOTHING)) && (ended != null) == (outcome != null);
		return fits ? new EarlierRun(tick, byHand, recordedAt, began, ended, outcome, Integer.parseInt(fields[5]),
				ForeignText.value(fields[6])) : null;
	}

}
