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
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import io.github.zklock.core.LockTick;
import io.github.zklock.core.internal.RunOutcome;
import org.jspecify.annotations.Nullable;

/**
 * The data of the node of a job: its last run and {@value #MOST_EARLIER} runs before it,
 * as lines of {@code name=value}. Immutable.
 *
 * @param job what is planned, and with which key, for human readers
 * @param last the last run
 * @param runner the lines of {@link OwnerData} of its runner
 * @param earlier the runs before it, the latest one first
 */
public record JobRecord(String job, Run last, String runner, List<EarlierRun> earlier) {

	/** More data than this is not read. */
	public static final int MAX_LENGTH = 16_384;

	private static final int MOST_EARLIER = 20;

	private static final int MOST_LINES = 100;

	private static final int MOST_ATTEMPTS = 999;

	// The end of the year 9999, as for ticks.
	private static final long LAST_MILLIS = 253_402_300_799_999L;

	private static final long AHEAD_MS = 60_000;

	private static final Pattern HEX = Pattern.compile("[0-9a-f]{1,32}");

	private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,2}");

	private static final int FIELDS = 7;

	private static final String NOTHING = "-";

	/**
	 * Return the record of a first run.
	 * @param tick the tick
	 * @param key the key, as ZooKeeper may show it
	 */
	public static JobRecord first(LockTick tick, String key, Run run, byte[] runner) {
		String job = OwnerData.line("job", tick.schedule()) + OwnerData.line("key", key);
		return new JobRecord(job, run, text(runner), List.of());
	}

	/**
	 * Return the record after another run.
	 * @param recordedAt when the last run was recorded, by the clock of the leader
	 */
	public JobRecord with(Run run, byte[] runner, long recordedAt) {
		if (run.isOfCallOf(this.last)) {
			return new JobRecord(this.job, run, text(runner), this.earlier);
		}
		List<EarlierRun> runs = new ArrayList<>();
		runs.add(new EarlierRun(this.last.tick(), recordedAt, this.last.began(), this.last.ended(), this.last.outcome(),
				this.last.attempt(), name(this.runner)));
		runs.addAll(this.earlier.subList(0, Math.min(this.earlier.size(), MOST_EARLIER - 1)));
		return new JobRecord(this.job, run, text(runner), List.copyOf(runs));
	}

	/**
	 * Return the record after the end of the last run.
	 */
	public JobRecord ended(long at, RunOutcome outcome) {
		return new JobRecord(this.job, this.last.ended(at, outcome), this.runner, this.earlier);
	}

	/**
	 * Return the tick that keeps a run from taking place, or {@code null} if it may. It
	 * is the same tick, or a later one whose planned time was not far ahead of the
	 * leader's clock.
	 * @param tick the time for which the run is planned
	 * @param recordedAt when the last run was recorded, by the clock of the leader
	 */
	public @Nullable Long overtaking(long tick, long recordedAt) {
		if (overtakes(this.last.tick(), Math.min(recordedAt, this.last.began()), tick)) {
			return this.last.tick();
		}
		return this.earlier.stream()
			.filter((run) -> overtakes(run.tick(), Math.min(run.recordedAt(), run.began()), tick))
			.map(EarlierRun::tick)
			.findFirst()
			.orElse(null);
	}

	/**
	 * Return the latest attempt at a tick, or {@code null} if there was none.
	 */
	public @Nullable Attempt attempt(long tick) {
		if (this.last.tick() != null && this.last.tick() == tick) {
			return new Attempt(this.last.attempt(), this.last.outcome());
		}
		return this.earlier.stream()
			.filter((run) -> run.tick() != null && run.tick() == tick)
			.findFirst()
			.map((run) -> new Attempt(run.attempt(), run.outcome()))
			.orElse(null);
	}

	private static boolean overtakes(@Nullable Long other, long recordedAt, long tick) {
		return other != null && (other == tick || (other > tick && !isAhead(other, recordedAt)));
	}

	/**
	 * Return whether the clock that planned a run is far ahead of the leader's clock. The
	 * run then says nothing about the runs before it.
	 */
	public static boolean isAhead(long tick, long recordedAt) {
		return tick > recordedAt + AHEAD_MS;
	}

	/**
	 * Return the data of the node. The earliest runs are left out if there is no space
	 * for them.
	 */
	public byte[] data() {
		StringBuilder lines = new StringBuilder(this.job).append(this.last.lines()).append(this.runner);
		int length = lines.toString().getBytes(StandardCharsets.UTF_8).length;
		for (EarlierRun run : this.earlier) {
			String line = run.line();
			length += line.getBytes(StandardCharsets.UTF_8).length;
			if (length > MAX_LENGTH) {
				break;
			}
			lines.append(line);
		}
		return lines.toString().getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Read the data of a node.
	 * @return the record, or {@code null} if the data are not exactly one record
	 */
	public static @Nullable JobRecord parse(byte @Nullable [] data) {
		if (data == null || data.length > MAX_LENGTH) {
			return null;
		}
		Map<String, String> values = new HashMap<>();
		Set<String> known = new HashSet<>();
		StringBuilder job = new StringBuilder();
		StringBuilder runner = new StringBuilder();
		List<EarlierRun> earlier = new ArrayList<>();
		String[] lines = text(data).split("\n");
		if (lines.length > MOST_LINES) {
			return null;
		}
		for (String line : lines) {
			int equals = line.indexOf('=');
			String name = line.substring(0, Math.max(equals, 0));
			String value = line.substring(equals + 1);
			if (name.equals("run")) {
				if (!add(earlier, EarlierRun.parse(value))) {
					return null;
				}
			}
			else if (Run.NAMES.contains(name)) {
				if (values.put(name, value) != null) {
					return null;
				}
			}
			else if ((name.equals("job") || name.equals("key") || OwnerData.NAMES.contains(name)) && !known.add(name)) {
				return null;
			}
			else if (name.equals("job") || name.equals("key")) {
				job.append(OwnerData.line(name, value));
			}
			else if (OwnerData.NAMES.contains(name)) {
				runner.append(OwnerData.line(name, value));
			}
		}
		Run last = Run.of(values);
		return (last != null) ? new JobRecord(job.toString(), last, runner.toString(), List.copyOf(earlier)) : null;
	}

	private static boolean add(List<EarlierRun> earlier, @Nullable EarlierRun run) {
		return run != null && earlier.size() < MOST_EARLIER && earlier.add(run);
	}

	private static String text(byte[] data) {
		return new String(data, StandardCharsets.UTF_8);
	}

	// What distinguishes the instances of an application, if that may be written.
	private static String name(String runner) {
		Map<String, String> values = new HashMap<>();
		runner.lines().forEach((line) -> {
			int equals = line.indexOf('=');
			values.put(line.substring(0, equals), line.substring(equals + 1));
		});
		return values.getOrDefault("instance", values.getOrDefault("application", NOTHING));
	}

	private static String instant(@Nullable Long millis) {
		return (millis != null) ? Instant.ofEpochMilli(millis).toString() : NOTHING;
	}

	/** Return milliseconds, or -1 if the text is not a time. */
	private static long millis(@Nullable String text) {
		try {
			long millis = (text != null) ? Instant.parse(text).toEpochMilli() : -1;
			return (millis <= LAST_MILLIS) ? millis : -1;
		}
		catch (DateTimeException | ArithmeticException ex) {
			return -1;
		}
	}

	private static @Nullable RunOutcome outcomeOf(@Nullable String text) {
		for (RunOutcome outcome : RunOutcome.values()) {
			if (name(outcome).equals(text)) {
				return outcome;
			}
		}
		return null;
	}

	private static String name(RunOutcome outcome) {
		return outcome.name().toLowerCase(Locale.ROOT);
	}

	/**
	 * An attempt at a tick.
	 *
	 * @param number which one it is, from 1
	 * @param outcome how it ended
	 */
	public record Attempt(int number, @Nullable RunOutcome outcome) {

		/** Return whether the work did not come to its end, once the lock is free. */
		public boolean isUnfinished() {
			return this.outcome == null || this.outcome == RunOutcome.INTERRUPTED;
		}

	}

	/**
	 * The last run of a job.
	 *
	 * @param tick for which time it was planned, in milliseconds; {@code null} if it is
	 * periodic
	 * @param call the call that runs, or has run
	 * @param attempt which attempt at the tick it is
	 * @param lock the name of the node with which its runner holds the lock
	 * @param process the process of the runner
	 * @param began when it began, by the clock of the leader
	 * @param ended when it ended, if it is known to have
	 * @param outcome how it ended
	 */
	public record Run(@Nullable Long tick, String call, int attempt, String lock, String process, long began,
			@Nullable Long ended, @Nullable RunOutcome outcome) {

		private static final List<String> NAMES = List.of("tick", "call", "attempt", "lock", "process", "began",
				"ended", "outcome");

		/**
		 * Return whether both are the same run, of the same call.
		 */
		public boolean isOfCallOf(Run other) {
			return this.call.equals(other.call);
		}

		Run ended(long at, RunOutcome how) {
			return new Run(this.tick, this.call, this.attempt, this.lock, this.process, this.began, at, how);
		}

		private String lines() {
			return ((this.tick != null) ? "tick=" + instant(this.tick) + "\n" : "") + "call=" + this.call + "\nattempt="
					+ this.attempt + "\nlock=" + this.lock + "\nprocess=" + this.process + "\nbegan="
					+ instant(this.began) + "\n" + ((this.outcome != null)
							? "ended=" + instant(this.ended) + "\noutcome=" + name(this.outcome) + "\n" : "");
		}

		private static @Nullable Run of(Map<String, String> values) {
			String call = values.getOrDefault("call", "");
			String attempt = values.getOrDefault("attempt", "");
			String lock = values.getOrDefault("lock", "");
			String process = values.getOrDefault("process", "");
			Long tick = values.containsKey("tick") ? millis(values.get("tick")) : null;
			long began = millis(values.get("began"));
			Long ended = values.containsKey("ended") ? millis(values.get("ended")) : null;
			RunOutcome outcome = outcomeOf(values.get("outcome"));
			boolean fits = HEX.matcher(call).matches() && NUMBER.matcher(attempt).matches()
					&& HEX.matcher(process).matches() && QueueNode.parse(lock) != null && began >= 0;
			boolean possible = (tick == null || tick >= 0) && (ended == null || ended >= 0)
					&& (ended != null) == (outcome != null) && values.containsKey("outcome") == (outcome != null);
			return (fits && possible)
					? new Run(tick, call, Integer.parseInt(attempt), lock, process, began, ended, outcome) : null;
		}

	}

	/**
	 * A run before the last one.
	 *
	 * @param tick for which time it was planned; {@code null} if it is periodic
	 * @param recordedAt when it was recorded last, by the clock of the leader
	 * @param began when it began
	 * @param ended when it ended, if it is known to have
	 * @param outcome how it ended
	 * @param attempt which attempt at the tick it was
	 * @param runner who ran it
	 */
	public record EarlierRun(@Nullable Long tick, long recordedAt, long began, @Nullable Long ended,
			@Nullable RunOutcome outcome, int attempt, String runner) {

		private String line() {
			return OwnerData.line("run",
					String.join(" ", instant(this.tick), instant(this.recordedAt), instant(this.began),
							instant(this.ended), (this.outcome != null) ? name(this.outcome) : NOTHING,
							Integer.toString(this.attempt), this.runner));
		}

		private static @Nullable EarlierRun parse(String value) {
			String[] fields = value.split(" ", FIELDS);
			if (fields.length < FIELDS || !NUMBER.matcher(fields[5]).matches()) {
				return null;
			}
			Long tick = fields[0].equals(NOTHING) ? null : millis(fields[0]);
			Long ended = fields[3].equals(NOTHING) ? null : millis(fields[3]);
			RunOutcome outcome = outcomeOf(fields[4]);
			long recordedAt = millis(fields[1]);
			long began = millis(fields[2]);
			boolean fits = (tick == null || tick >= 0) && recordedAt >= 0 && began >= 0 && (ended == null || ended >= 0)
					&& (outcome != null || fields[4].equals(NOTHING)) && (ended != null) == (outcome != null);
			return fits
					? new EarlierRun(tick, recordedAt, began, ended, outcome, Integer.parseInt(fields[5]), fields[6])
					: null;
		}

	}

}
