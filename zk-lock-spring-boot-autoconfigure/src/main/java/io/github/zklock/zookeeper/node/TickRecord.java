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

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;

import io.github.zklock.core.LockTick;
import org.jspecify.annotations.Nullable;

/**
 * A node beside the queue of a key that says which run of a schedule was the last one:
 * {@code z<call>-tick-<schedule>-<milliseconds>-<leader>}, or for a periodic run
 * {@code z<call>-tick-<schedule>-n<node>-<leader>}. It stays when its lock is gone, and
 * Curator's recipes sort it behind every contender.
 *
 * @param name the name of the node
 * @param call the call that runs, or has run
 * @param schedule the beginning of the digest of the schedule
 * @param run for which time the run was planned, or by which process a periodic one runs
 * @param leaderMillis when that was, by the clock of the leader of the servers
 */
public record TickRecord(String name, String call, String schedule, String run, long leaderMillis) {

	private static final String PERIODIC = "n";

	private static final String INFIX = "-tick-";

	private static final int MOST_CALL_DIGITS = 32;

	private static final int MOST_DIGITS = 18;

	// The end of the year 9999, as for ticks.
	private static final long LAST_MILLIS = 253_402_300_799_999L;

	private static final int DIGEST_BYTES = 8;

	private static final long AHEAD_MS = 60_000;

	private static final long LATEST_MS = 300_000;

	/**
	 * Create the record of a run.
	 * @param tick the tick
	 * @param process the process that runs it
	 * @param leaderMillis what the clock of the leader shows
	 */
	public static TickRecord of(LockTick tick, String process, long leaderMillis) {
		byte[] digest = LockPaths.sha256(tick.schedule().getBytes(StandardCharsets.UTF_8));
		String schedule = HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
		Instant time = tick.time();
		String run = (time != null) ? Long.toString(time.toEpochMilli()) : PERIODIC + process;
		long leader = Math.max(leaderMillis, 0);
		String name = "z" + tick.call() + INFIX + schedule + "-" + run + "-" + leader;
		return new TickRecord(name, tick.call(), schedule, run, leader);
	}

	/**
	 * Return the record of a name, or {@code null} if the name is not one of a record.
	 */
	public static @Nullable TickRecord parse(String name) {
		NameReader reader = NameReader.of(name);
		if (reader == null || !reader.text("z") || !reader.hex(1, MOST_CALL_DIGITS)) {
			return null;
		}
		String call = reader.since(1);
		int schedule = reader.position() + INFIX.length();
		if (!reader.text(INFIX) || !reader.hex(2 * DIGEST_BYTES, 2 * DIGEST_BYTES)) {
			return null;
		}
		String digest = reader.since(schedule);
		int run = reader.position() + 1;
		if (!reader.text("-") || !(reader.text(PERIODIC) ? reader.hex(1, MOST_CALL_DIGITS)
				: reader.number(1, MOST_DIGITS, LAST_MILLIS) >= 0)) {
			return null;
		}
		String planned = reader.since(run);
		long leader = reader.text("-") ? reader.number(1, MOST_DIGITS, LAST_MILLIS) : -1;
		return (leader >= 0 && reader.isAtEnd()) ? new TickRecord(name, call, digest, planned, leader) : null;
	}

	public boolean isPeriodic() {
		return this.run.startsWith(PERIODIC);
	}

	/**
	 * Return for which time the run was planned. Not for a periodic run.
	 */
	public long millis() {
		return Long.parseLong(this.run);
	}

	/**
	 * Return whether both are runs of the same kind of one schedule.
	 */
	public boolean isOfScheduleOf(TickRecord other) {
		return this.schedule.equals(other.schedule) && isPeriodic() == other.isPeriodic();
	}

	/**
	 * Return whether both are the same run, of the same call.
	 */
	public boolean isOfCallOf(TickRecord other) {
		return this.call.equals(other.call) && this.run.equals(other.run);
	}

	/**
	 * Return whether a run at a time that comes now comes too late.
	 * @param other its record
	 */
	public boolean overtakes(TickRecord other) {
		return millis() == other.millis() || (millis() > other.millis() && !isAhead());
	}

	/**
	 * Return whether the clock that planned the run is so far ahead of that of the leader
	 * that the run says nothing about those before it.
	 */
	public boolean isAhead() {
		return !isPeriodic() && millis() > this.leaderMillis + AHEAD_MS;
	}

	/**
	 * Return whether the times in the name are so much later than a run that is due that
	 * no other client can have recorded them by now.
	 * @param run the run that is due
	 * @param now the time of the servers, in milliseconds
	 */
	public boolean isFarBeyond(TickRecord run, long now) {
		return isPeriodic() ? !isPlausible(now, now) : millis() > run.millis() + LATEST_MS;
	}

	/**
	 * Return whether the run was recorded when it says so, and not long before the time
	 * for which it is planned, unless that time is still far ahead.
	 * @param createdAt when the node was created, by the clock of the servers
	 * @param now the time by that clock
	 */
	public boolean isPlausible(long createdAt, long now) {
		long latest = createdAt + LATEST_MS;
		return this.leaderMillis <= latest && (isPeriodic() || millis() <= latest || millis() > now + LATEST_MS);
	}

	/**
	 * Return the tick of the run.
	 * @param tick another one of the same schedule
	 */
	public LockTick tick(LockTick tick) {
		return isPeriodic() ? tick : LockTick.at(tick.schedule(), Instant.ofEpochMilli(millis()), this.call);
	}

}
