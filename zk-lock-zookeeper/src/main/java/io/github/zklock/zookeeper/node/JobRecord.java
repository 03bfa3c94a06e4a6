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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.zklock.core.spi.RunOutcome;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The data of the node of a job, as lines of {@code name=value}. It is whether the job is
 * paused, its last run, and up to {@value #MOST_EARLIER} runs and pauses before.
 * Immutable.
 *
 * @param job what is planned, and with which key, for human readers
 * @param paused the pause of the job, or {@code null} if it is not paused
 * @param recorded when the last run was recorded, by the clock of the leader, if the node
 * was written for another reason since
 * @param last the last run, or {@code null} before the first one
 * @param runner the lines of {@link OwnerData} of its runner
 * @param earlier the runs before it, the latest one first
 * @param pauses the pauses that are over, the latest one first
 */
public record JobRecord(String job, @Nullable Pause paused, @Nullable Long recorded, @Nullable Run last, String runner,
		List<EarlierRun> earlier, List<EarlierPause> pauses) {

	/** More data than this is not read. */
	public static final int MAX_LENGTH = 16_384;

	static final int MOST_EARLIER = 20;

	private static final int MOST_ATTEMPTS = 999;

	private static final long AHEAD_MS = 60_000;

	private static final Pattern HEX = Pattern.compile("[0-9a-f]{1,32}");

	static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,2}");

	/**
	 * Return the record of a job that has not run.
	 * @param schedule the schedule of its ticks
	 * @param key the key, as ZooKeeper may show it
	 */
	public static JobRecord of(String schedule, String key) {
		String job = OwnerData.line("job", schedule) + OwnerData.line("key", key);
		return new JobRecord(job, null, null, null, "", List.of(), List.of());
	}

	/** Return the record with no time after the last write of its node. */
	public JobRecord until(long writtenAt) {
		Pause pause = (this.paused != null) ? new Pause(Math.min(this.paused.since(), writtenAt), this.paused.by())
				: null;
		Long recordedAt = (this.recorded != null) ? (Long) Math.min(this.recorded, writtenAt) : null;
		Run run = (this.last != null) ? this.last.until(writtenAt) : null;
		return new JobRecord(this.job, pause, recordedAt, run, this.runner,
				this.earlier.stream().map((each) -> each.until(writtenAt)).toList(),
				this.pauses.stream().map((each) -> each.until(writtenAt)).toList());
	}

	/** Return whether a time is more than a minute after the last write of the node. */
	public boolean isBeyond(long writtenAt) {
		return !equals(until(writtenAt + AHEAD_MS));
	}

	/**
	 * Return the record after the begin or the end of a pause.
	 * @param pause the pause, or {@code null} if it ends
	 * @param writtenAt when the node was written last, by the clock of the leader
	 */
	public JobRecord withPause(@Nullable Pause pause, long writtenAt) {
		Long recorded = (this.last != null) ? (Long) recordedAt(writtenAt) : null;
		List<EarlierPause> over = this.pauses;
		if (this.paused != null && pause == null) {
			EarlierPause ended = new EarlierPause(this.paused.since(), Math.max(writtenAt, this.paused.since()));
			over = Stream.concat(Stream.of(ended), over.stream()).limit(MOST_EARLIER).toList();
		}
		return new JobRecord(this.job, pause, recorded, this.last, this.runner, this.earlier, over);
	}

	/**
	 * Return when the last run was recorded.
	 * @param writtenAt when the node was written last, by the clock of the leader
	 */
	public long recordedAt(long writtenAt) {
		return (this.recorded != null) ? this.recorded : writtenAt;
	}

	/**
	 * Return the record after another run.
	 * @param recordedAt when the last run was recorded, by the clock of the leader
	 */
	public JobRecord with(Run run, byte[] runner, long recordedAt) {
		Run before = this.last;
		List<EarlierRun> runs = this.earlier;
		if (before != null && !run.isOfCallOf(before) && !run.takesThePlaceOf(before)) {
			runs = new ArrayList<>();
			runs.add(before.asEarlier(recordedAt, name(this.runner)));
			runs.addAll(this.earlier);
			if (runs.size() > MOST_EARLIER) {
				// The latest tick stays, however often the job is started by hand.
				boolean hasTick = runs.stream().limit(MOST_EARLIER).anyMatch((one) -> one.tick() != null);
				runs.remove(hasTick ? MOST_EARLIER : MOST_EARLIER - 1);
			}
		}
		return new JobRecord(this.job, this.paused, null, run, text(runner), List.copyOf(runs), this.pauses);
	}

	/** Return the record after the end of the last run. */
	public JobRecord ended(long at, RunOutcome outcome) {
		Run run = Objects.requireNonNull(this.last, "It has begun").ended(at, outcome);
		return new JobRecord(this.job, this.paused, null, run, this.runner, this.earlier, this.pauses);
	}

	/** Return whether a tick has run. A run by hand is none. */
	public boolean hasTick() {
		return (this.last != null && this.last.tick() != null)
				|| this.earlier.stream().anyMatch((run) -> run.tick() != null);
	}

	/** Return whether the last run goes on, or its process has died. */
	public boolean isOpen() {
		return this.last != null && this.last.outcome() == null;
	}

	/** Return the last run in the form of an earlier one. */
	public EarlierRun lastAsEarlier() {
		Run run = Objects.requireNonNull(this.last, "It has begun");
		return run.asEarlier(run.began(), name(this.runner));
	}

	/**
	 * Return the tick that keeps a run from taking place, or {@code null} if it may. It
	 * is the same tick, or a later one whose planned time was not far ahead of the
	 * leader's clock.
	 * @param tick the time for which the run is planned
	 * @param recordedAt when the last run was recorded, by the clock of the leader
	 */
	public @Nullable Long overtaking(long tick, long recordedAt) {
		Run run = this.last;
		if (run != null && overtakes(run.tick(), Math.min(recordedAt, run.began()), tick)) {
			return run.tick();
		}
		return this.earlier.stream()
			.filter((other) -> overtakes(other.tick(), Math.min(other.recordedAt(), other.began()), tick))
			.map(EarlierRun::tick)
			.findFirst()
			.orElse(null);
	}

	/**
	 * Return the latest attempt at a tick, or {@code null} if there was none.
	 */
	public @Nullable Attempt attempt(long tick) {
		Run run = this.last;
		if (run != null && run.tick() != null && run.tick() == tick) {
			return new Attempt(run.attempt(), run.outcome());
		}
		return this.earlier.stream()
			.filter((other) -> other.tick() != null && other.tick() == tick)
			.findFirst()
			.map((other) -> new Attempt(other.attempt(), other.outcome()))
			.orElse(null);
	}

	/**
	 * Return the tick of the last planned run if this run did not come to its end, once
	 * the lock is free.
	 */
	public @Nullable Long unfinished() {
		Run run = this.last;
		if (run != null && run.tick() != null) {
			return new Attempt(run.attempt(), run.outcome()).isUnfinished() ? run.tick() : null;
		}
		return this.earlier.stream()
			.filter((other) -> other.tick() != null)
			.findFirst()
			.filter((other) -> new Attempt(other.attempt(), other.outcome()).isUnfinished())
			.map(EarlierRun::tick)
			.orElse(null);
	}

	private static boolean overtakes(@Nullable Long other, long recordedAt, long tick) {
		return other != null && (other == tick || (other > tick && !isAhead(other, recordedAt)));
	}

	/**
	 * Return whether the servers may delete a node, and a record in it. A node of a
	 * session shows it. A container looks like every other node, and is deleted after it
	 * had children, which the node of a job never has.
	 */
	public static boolean mayVanish(Stat stat) {
		return stat.getEphemeralOwner() != 0 || stat.getCversion() != 0;
	}

	/** Return what is wrong with the node of a job that may vanish, and the remedy. */
	public static String vanishing(String path) {
		return "another client has created " + path + " for its session, or nodes below it, so the servers may delete "
				+ "the record of a run and a tick may run twice; run 'deleteall " + path
				+ "' in zkCli.sh, which also ends a pause of the job";
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
		StringBuilder lines = new StringBuilder(this.job)
			.append((this.paused != null) ? OwnerData.line("paused", this.paused.value()) : "")
			.append((this.recorded != null) ? "recorded=" + JobText.instant(this.recorded) + "\n" : "")
			.append((this.last != null) ? this.last.lines() : "")
			.append(this.runner);
		this.pauses.forEach((pause) -> lines.append(pause.line()));
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
		return (data != null && data.length <= MAX_LENGTH) ? JobRecordReader.read(text(data)) : null;
	}

	private static String text(byte[] data) {
		return ForeignText.unparsed(data, data.length);
	}

	// What distinguishes the instances of an application, if that may be written.
	private static String name(String runner) {
		Map<String, String> values = new HashMap<>();
		runner.lines().forEach((line) -> {
			int equals = line.indexOf('=');
			values.put(line.substring(0, equals), line.substring(equals + 1));
		});
		return values.getOrDefault("instance", values.getOrDefault("application", JobText.NOTHING));
	}

	/**
	 * A pause of a job.
	 *
	 * @param since when it began
	 * @param by who has asked for it, if that is known
	 */
	public record Pause(long since, @Nullable String by) {

		private String value() {
			return JobText.instant(this.since) + " " + ((this.by != null) ? this.by : JobText.NOTHING);
		}

		static @Nullable Pause parse(@Nullable String value) {
			String[] fields = (value != null) ? value.split(" ", 2) : new String[0];
			long since = (fields.length == 2) ? JobText.millis(fields[0]) : -1;
			return (since >= 0)
					? new Pause(since, fields[1].equals(JobText.NOTHING) ? null : ForeignText.value(fields[1])) : null;
		}

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
			return this.outcome == null || this.outcome.isUnfinished();
		}

		/** Return the number of the next one. A run that never began was none. */
		public int next() {
			return this.number + ((this.outcome == RunOutcome.UNUSED) ? 0 : 1);
		}

	}

	/**
	 * The last run of a job.
	 *
	 * @param tick for which time it was planned, in milliseconds; {@code null} if it is
	 * periodic or was started by hand
	 * @param byHand whether it was started by hand
	 * @param call the call that runs, or has run
	 * @param attempt which attempt at the tick it is
	 * @param lock the name of the node with which its runner holds the lock
	 * @param process the process of the runner
	 * @param began when it began, by the clock of the leader
	 * @param ended when it ended, if it is known to have
	 * @param outcome how it ended
	 * @param shards into how many shards its tick is split, 1 if it is not
	 */
	public record Run(@Nullable Long tick, boolean byHand, String call, int attempt, String lock, String process,
			long began, @Nullable Long ended, @Nullable RunOutcome outcome, int shards) {

		static final List<String> NAMES = List.of("tick", "call", "attempt", "lock", "process", "began", "ended",
				"outcome", "shards");

		/** Return whether both are the same run, of the same call. */
		public boolean isOfCallOf(Run other) {
			return this.call.equals(other.call);
		}

		// A run that never began says nothing, once its tick has another run.
		private boolean takesThePlaceOf(Run other) {
			return other.outcome == RunOutcome.UNUSED && other.tick != null && other.tick.equals(this.tick);
		}

		private EarlierRun asEarlier(long recordedAt, String runner) {
			return new EarlierRun(this.tick, this.byHand, recordedAt, this.began, this.ended, this.outcome,
					this.attempt, runner);
		}

		Run until(long latest) {
			return new Run(this.tick, this.byHand, this.call, this.attempt, this.lock, this.process,
					Math.min(this.began, latest), (this.ended != null) ? (Long) Math.min(this.ended, latest) : null,
					this.outcome, this.shards);
		}

		Run ended(long at, RunOutcome how) {
			return new Run(this.tick, this.byHand, this.call, this.attempt, this.lock, this.process, this.began, at,
					how, this.shards);
		}

		private String lines() {
			boolean hasTick = this.byHand || this.tick != null;
			return (hasTick ? "tick=" + JobText.tick(this.tick, this.byHand) + "\n" : "")
					+ ((this.shards > 1) ? "shards=" + this.shards + "\n" : "") + "call=" + this.call + "\nattempt="
					+ this.attempt + "\nlock=" + this.lock + "\nprocess=" + this.process + "\nbegan="
					+ JobText.instant(this.began) + "\n" + ((this.outcome != null) ? "ended="
							+ JobText.instant(this.ended) + "\noutcome=" + JobText.outcome(this.outcome) + "\n" : "");
		}

		static @Nullable Run of(Map<String, String> values) {
			String call = values.getOrDefault("call", "");
			String attempt = values.getOrDefault("attempt", "");
			int shards = JobText.shards(values.get("shards"));
			String lock = values.getOrDefault("lock", "");
			String process = values.getOrDefault("process", "");
			boolean byHand = JobText.BY_HAND.equals(values.get("tick"));
			Long tick = (values.containsKey("tick") && !byHand) ? JobText.millis(values.get("tick")) : null;
			long began = JobText.millis(values.get("began"));
			Long ended = values.containsKey("ended") ? JobText.millis(values.get("ended")) : null;
			RunOutcome outcome = JobText.outcome(values.get("outcome"));
			boolean fits = HEX.matcher(call).matches() && NUMBER.matcher(attempt).matches() && shards > 0
					&& HEX.matcher(process).matches() && QueueNode.parse(lock) != null && began >= 0;
			boolean possible = (tick == null || tick >= 0) && (ended == null || ended >= 0)
					&& (ended != null) == (outcome != null) && values.containsKey("outcome") == (outcome != null);
			return (fits && possible) ? new Run(tick, byHand, call, Integer.parseInt(attempt), lock, process, began,
					ended, outcome, shards) : null;
		}

	}

}
