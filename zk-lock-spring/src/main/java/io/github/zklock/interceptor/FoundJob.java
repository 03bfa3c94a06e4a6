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

package io.github.zklock.interceptor;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.zklock.core.LockJob;
import io.github.zklock.core.spi.JobStore.Job;
import io.github.zklock.core.spi.JobStore.Pause;
import io.github.zklock.core.spi.JobStore.State;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.Sharding;
import io.github.zklock.scheduling.KnownTask;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job of this application. Its key may not be known yet.
 *
 * @param name its name
 * @param operation its guarded method
 * @param tasks its tasks, those with ticks first
 * @param beans the names of its beans, if they are known
 * @param key computes its key
 */
record FoundJob(String name, LockOperation operation, List<KnownTask> tasks, List<String> beans, Supplier<String> key) {

	private static final Logger logger = LoggerFactory.getLogger(FoundJob.class);

	private static final int MOST_RUNS = 21;

	// Ticks and periodic runs have records of their own.
	private static final List<Boolean> KINDS = List.of(false, true);

	boolean hasKey() {
		try {
			this.key.get();
			return true;
		}
		catch (RuntimeException ex) {
			logger.debug("The key of the job '{}' cannot be computed now", this.name, ex);
			return false;
		}
	}

	/**
	 * Return its records. A pause is written to all, so it stays if a later release
	 * changes the kind. The records of its shards come last.
	 */
	List<Job> ids() {
		String key = this.key.get();
		return Stream
			.concat(KINDS.stream().map((periodic) -> new Job(this.operation.schedule(), periodic, key)),
					shards().mapToObj((shard) -> new Job(this.operation.schedule(), false, Sharding.key(key, shard))))
			.toList();
	}

	private IntStream shards() {
		int shards = this.operation.sharding().shards();
		return IntStream.range(0, (shards > 1) ? shards : 0);
	}

	boolean isPeriodic() {
		return of(KnownTask::period).findAny().isPresent();
	}

	/**
	 * Return whether this job writes to the records of another one.
	 */
	boolean hasRecordsOf(FoundJob other) {
		return this.operation.schedule().equals(other.operation.schedule()) && hasKey() && other.hasKey()
				&& this.key.get().equals(other.key.get());
	}

	/**
	 * Describe the job.
	 * @param states the states of its records
	 * @param zone the zone of its schedules, if they have one
	 */
	LockJob describe(List<State> states, @Nullable String zone) {
		Pause pause = pause(states);
		int shards = this.operation.sharding().shards();
		List<LockJob.Run> runs = ((shards > 1) ? ofShards(states)
				: states.stream().flatMap((state) -> state.runs().stream()))
			.sorted(Comparator.comparing(LockJob.Run::began).reversed())
			.limit((long) shards * MOST_RUNS)
			.toList();
		Set<String> crons = of(KnownTask::cron).collect(Collectors.toCollection(TreeSet::new));
		return new Described(this.name, this.operation.schedule(), this.operation.target().qualifiedName(),
				this.key.get(), crons.isEmpty() ? null : String.join(", ", crons), zone,
				of(KnownTask::period).min(Comparator.naturalOrder()).orElse(null),
				of(KnownTask::next).min(Comparator.naturalOrder()).orElse(null), (pause != null) ? pause.since() : null,
				(pause != null) ? pause.by() : null, runs, shards);
	}

	// The record of the job itself only says that a tick was split.
	private Stream<LockJob.Run> ofShards(List<State> states) {
		return shards().boxed()
			.flatMap((shard) -> states.get(KINDS.size() + shard)
				.runs()
				.stream()
				.map((run) -> new RunOfShard(run.time(), run.byHand(), shard, run.attempt(), run.node(), run.began(),
						run.ended(), run.outcome())));
	}

	// A run reads the record of its kind only, so a pause in the other one stops nothing.
	private @Nullable Pause pause(List<State> states) {
		return of((task) -> states.get(KINDS.indexOf(task.period() != null)).pause()).findFirst().orElse(null);
	}

	private <T> Stream<T> of(Function<KnownTask, @Nullable T> property) {
		return this.tasks.stream().map(property).filter(Objects::nonNull);
	}

	/**
	 * A job with its state.
	 */
	private record Described(String name, String schedule, String method, String key, @Nullable String cron,
			@Nullable String zone, @Nullable Duration period, @Nullable Instant nextTime, @Nullable Instant pausedSince,
			@Nullable String pausedBy, List<LockJob.Run> runs, int shards) implements LockJob {

	}

	/**
	 * A run of one shard.
	 */
	private record RunOfShard(@Nullable Instant time, boolean byHand, @Nullable Integer shard, int attempt,
			@Nullable String node, Instant began, @Nullable Instant ended,
			LockJob.Outcome outcome) implements LockJob.Run {

	}

}
