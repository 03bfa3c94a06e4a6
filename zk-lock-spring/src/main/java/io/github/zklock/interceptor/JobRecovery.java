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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.internal.DurationText;
import io.github.zklock.core.internal.LockObserver;
import io.github.zklock.core.internal.WorkRecords;
import io.github.zklock.core.spi.HolderSource;
import io.github.zklock.core.spi.JobStore;
import io.github.zklock.core.spi.JobStore.Job;
import io.github.zklock.core.spi.JobStore.State;
import io.github.zklock.core.spi.LockListener;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockOperation.Recovery;
import io.github.zklock.interceptor.operation.Sharding;
import io.github.zklock.scheduling.MissedRuns;
import io.github.zklock.scheduling.ScheduledRun;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;

/**
 * Looks for ticks to make up for. It looks when this node begins to use the backend.
 * After a tick whose lock was not acquired, it looks when the holder of the key is gone,
 * or the pause is over. It does not poll. No tick runs after a later one. So a look
 * begins with the last run of the job, and repeats its tick if the run has died.
 *
 * @since 0.1.0
 */
public final class JobRecovery implements DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(JobRecovery.class);

	// Behind the name of a schedule: the report that all attempts at a tick have died.
	private static final String REPORT = "#gave-up";

	// For reading the last run of a job, on a thread of its scheduler.
	private static final Duration BOUND = Duration.ofSeconds(5);

	private final JobKeys keys;

	private final Function<String, @Nullable LockProvider> providers;

	private final Supplier<Stream<? extends LockListener>> listeners;

	private final List<Runnable> ends = new ArrayList<>();

	/**
	 * Create the recovery.
	 * @param beanFactory the beans to which keys refer
	 * @param providers returns the provider of a name, which is empty for the default one
	 * @param listeners returns the listeners of locks
	 */
	public JobRecovery(BeanFactory beanFactory, Function<String, @Nullable LockProvider> providers,
			Supplier<Stream<? extends LockListener>> listeners) {
		this.keys = new JobKeys(beanFactory);
		this.providers = providers;
		this.listeners = listeners;
	}

	/**
	 * Look for ticks of a method from now on. Called once at start-up.
	 * @param operation the method
	 * @param runs returns the runs of its tasks, which change if a bean is replaced
	 */
	public void begin(LockOperation operation, Supplier<List<MissedRuns>> runs) {
		Recovery recovery = operation.recovery();
		HolderSource holders = holders(operation);
		if (recovery == null || runs.get().isEmpty()) {
			return;
		}
		if (holders == null) {
			logger.warn("{} has recoverWithin, but its lock provider does not report when a holder is gone. A tick "
					+ "whose node dies is not made up for", operation.target());
			return;
		}
		logger.info(
				"{} makes up for a tick whose node dies, or that no node runs, within {}. So it may run more than "
						+ "once for a tick and must be idempotent",
				operation.target(), DurationText.of(recovery.within()));
		List<String> beans = this.keys.beans(operation.targetClass());
		this.ends.add(holders.onSession(() -> jobs(operation, recovery, holders, beans)
			.forEach((job) -> runs.get().forEach((missed) -> missed.look(job)))));
	}

	// Each bean may have a key of its own, and each shard has one.
	private List<RecoveredJob> jobs(LockOperation operation, Recovery recovery, HolderSource holders,
			List<String> beans) {
		List<String> known = beans.stream().filter((bean) -> this.keys.target(bean) != null).toList();
		List<RecoveredJob> jobs = new ArrayList<>();
		int shards = operation.sharding().shards();
		for (int i = 0; i < shards; i++) {
			Integer shard = (shards > 1) ? i : null;
			if (known.size() < 2) {
				jobs.add(new RecoveredJob(operation, recovery.within(), holders, () -> this.keys.target(operation),
						null, shard));
			}
			else {
				known.forEach((bean) -> jobs.add(new RecoveredJob(operation, recovery.within(), holders,
						() -> this.keys.target(bean), this.keys.isCalledBy(List.of(bean)), shard)));
			}
		}
		return jobs;
	}

	/**
	 * Run an action each time when this node begins to use a backend.
	 * @param provider the name of the provider, empty for the default one
	 * @param action the action, which must not block
	 */
	public void onSession(String provider, Runnable action) {
		if (this.providers.apply(provider) instanceof HolderSource holders) {
			this.ends.add(holders.onSession(action));
		}
	}

	/**
	 * A call has acquired its lock.
	 */
	void begins(LockCall call, ScheduledRun run, LockHandle handle) {
		WorkRecords.whenUnfinished(handle, () -> unfinished(call, run));
		LockTick tick = call.requests().get(0).tick();
		int attempt = WorkRecords.attempt(handle);
		if (tick != null && tick.time() != null && (tick.isRecovery() || attempt > 1)) {
			LockJob.Run died = run.died();
			String node = (died != null && died.node() != null) ? " on " + died.node() : "";
			String shard = (tick.shards() > 1) ? "shard " + tick.shard() + " of " : "";
			logger.info("{} makes up for {}the tick {}{}", call.operation().target(), shard, tick.time(), (attempt > 1)
					? " with attempt " + attempt + ": its run" + node + " has died" : ", which no node has run");
		}
	}

	/**
	 * Return whether a run that is refused is looked for again.
	 */
	boolean looksFor(LockOperation operation, ScheduledRun run) {
		return run.missed() != null && operation.recovery() != null && holders(operation) != null;
	}

	/**
	 * A call has not acquired its lock.
	 */
	void refused(LockCall call, LockException refusal) {
		LockOperation operation = call.operation();
		ScheduledRun run = call.run().scheduled();
		if (run == null || !looksFor(operation, run)) {
			return;
		}
		LockNotAcquiredException other = (refusal instanceof LockNotAcquiredException not) ? not : null;
		if (other != null && other.getPausedSince() != null) {
			lookAfter(call, run, (holders) -> holders.whenResumed(job(call)));
		}
		else if (other != null && other.getTick() != null) {
			reportIfDied(call, other.getTick(), other);
			run.settled();
		}
		else if (other != null || refusal instanceof LockUnavailableException) {
			lookAfter(call, run, (holders) -> holders.whenHolderGone(request(call, refusal).key()));
			if (other == null && run.shard() == null) {
				lookForShards(call, run);
			}
		}
	}

	// The first node that is connected again holds the key of the job while it takes one
	// shard after the other. So the other nodes do not wait for that key.
	private void lookForShards(LockCall call, ScheduledRun run) {
		int shards = call.operation().sharding().shards();
		for (int shard = 0; shards > 1 && shard < shards; shard++) {
			String key = Sharding.key(job(call).key(), shard);
			lookAfter(call, run, shard, key, (holders) -> holders.whenHolderGone(key));
		}
	}

	/**
	 * A run did not come to its end, or has lost its lock, and its method has ended.
	 * Perhaps no other node looks, and this one may go on.
	 */
	void unfinished(LockCall call, ScheduledRun run) {
		lookAfter(call, run, (holders) -> holders.whenHolderGone(call.requests().get(0).key()));
	}

	private void lookAfter(LockCall call, ScheduledRun run, Function<HolderSource, CompletableFuture<?>> obstacle) {
		String key = job(call).key();
		// Each shard waits on its own, even if the key of the job is what it waits for.
		Integer shard = run.shard();
		lookAfter(call, run, shard, (shard != null && !run.isShard()) ? Sharding.key(key, shard) : key, obstacle);
	}

	private void lookAfter(LockCall call, ScheduledRun run, @Nullable Integer shard, String key,
			Function<HolderSource, CompletableFuture<?>> obstacle) {
		LockOperation operation = call.operation();
		Recovery recovery = operation.recovery();
		HolderSource holders = holders(operation);
		if (run.missed() != null && recovery != null && holders != null) {
			RecoveredJob job = new RecoveredJob(operation, recovery.within(), holders, call.invocation()::getThis, null,
					shard);
			run.missed().lookAfter(key, () -> obstacle.apply(holders), job);
		}
	}

	// Of several locks, the last one has the record.
	private static Job job(LockCall call) {
		LockRequest last = call.requests().stream().max(Comparator.comparing(LockRequest::key)).orElseThrow();
		return new Job(call.operation().schedule(), false, last.key());
	}

	// Of several locks, the one that could not be acquired.
	private static LockRequest request(LockCall call, LockException refusal) {
		List<LockRequest> requests = call.requests();
		return requests.stream()
			.filter((request) -> request.key().equals(refusal.getKey()))
			.findFirst()
			.orElse(requests.get(0));
	}

	private void reportIfDied(LockCall call, LockTick tick, LockNotAcquiredException refusal) {
		LockOperation operation = call.operation();
		Instant time = tick.time();
		if (refusal.getDiedAttempts() > 0 && time != null && isFirstToReport(call, tick.schedule() + REPORT, time)) {
			logger.error("{} gives up: {}. Its work for this tick may be half done", operation.target(),
					refusal.getMessage());
			count(request(call, refusal));
		}
	}

	// In a shutdown there may be no listener any more.
	private void count(LockRequest request) {
		try {
			this.listeners.get()
				.filter(LockObserver.class::isInstance)
				.forEach((listener) -> ((LockObserver) listener).givenUp(request));
		}
		catch (RuntimeException ex) {
			logger.debug("The tick that was given up is not counted", ex);
		}
	}

	// The report is a run of its own, so one node of the cluster makes it.
	private boolean isFirstToReport(LockCall call, String report, Instant time) {
		LockProvider provider = this.providers.apply(call.operation().provider());
		try {
			if (provider != null) {
				// Each key has a report of its own.
				UUID key = UUID.nameUUIDFromBytes(job(call).key().getBytes(StandardCharsets.UTF_8));
				provider.acquire(
						LockRequest.of(report + "-" + key).withWait(Duration.ZERO).withTick(LockTick.at(report, time)))
					.release();
			}
			return true;
		}
		catch (LockNotAcquiredException ex) {
			return false;
		}
		catch (LockException ex) {
			logger.debug("Whether another node has reported it is not known", ex);
			return true;
		}
	}

	private @Nullable HolderSource holders(LockOperation operation) {
		return (this.providers.apply(operation.provider()) instanceof HolderSource holders) ? holders : null;
	}

	@Override
	public void destroy() {
		this.ends.forEach(Runnable::run);
	}

	/**
	 * A job that makes up for its ticks.
	 */
	private final class RecoveredJob implements MissedRuns.Job {

		private final LockOperation operation;

		private final Duration within;

		private final HolderSource holders;

		private final Supplier<? extends @Nullable Object> target;

		private final @Nullable Predicate<Object> wanted;

		private final @Nullable Integer shard;

		RecoveredJob(LockOperation operation, Duration within, HolderSource holders,
				Supplier<? extends @Nullable Object> target, @Nullable Predicate<Object> wanted,
				@Nullable Integer shard) {
			this.operation = operation;
			this.within = within;
			this.holders = holders;
			this.target = target;
			this.wanted = wanted;
			this.shard = shard;
		}

		@Override
		public Duration within() {
			return this.within;
		}

		@Override
		public @Nullable Predicate<Object> wanted() {
			return this.wanted;
		}

		@Override
		public @Nullable Integer shard() {
			return this.shard;
		}

		@Override
		public String key() {
			try {
				String key = JobRecovery.this.keys.key(this.operation, this.target);
				return (this.shard != null) ? Sharding.key(key, this.shard) : key;
			}
			catch (RuntimeException ex) {
				logger.debug("The key of {} cannot be computed now", this.operation.target(), ex);
				return "";
			}
		}

		// If it may not be read, only the latest tick is looked for.
		@Override
		public @Nullable State read(String key) {
			State nothing = new State(null, List.of(), List.of());
			try {
				return (JobRecovery.this.providers.apply(this.operation.provider()) instanceof JobStore.Source source)
						? source.jobs().read(List.of(id(key)), BOUND).get(0) : nothing;
			}
			catch (LockUnavailableException ex) {
				logger.debug("Whether the last run of {} has died is not known now", this.operation.target(), ex);
				return null;
			}
			catch (RuntimeException ex) {
				logger.debug("Whether the last run of {} has died is not known", this.operation.target(), ex);
				return nothing;
			}
		}

		@Override
		public CompletableFuture<?> whenReadable(String key) {
			return this.holders.whenHolderGone(key);
		}

		private Job id(String key) {
			return new Job(this.operation.schedule(), false, key);
		}

	}

}
