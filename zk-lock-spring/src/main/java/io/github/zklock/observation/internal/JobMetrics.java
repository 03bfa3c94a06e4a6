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

package io.github.zklock.observation.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockJob.Outcome;
import io.github.zklock.core.LockJobs;
import io.github.zklock.core.internal.Failures;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gauges for what the whole cluster knows of the jobs of this application. A reader of a
 * gauge waits for a new read for up to a second, and then gets what was read last. The
 * other readers of that time do not wait, so an outage delays a scrape by a second.
 *
 * @since 0.1.0
 */
public final class JobMetrics {

	/**
	 * How long what was read is used.
	 */
	public static final Duration READ_EVERY = Duration.ofSeconds(10);

	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private static final Logger logger = LoggerFactory.getLogger(JobMetrics.class);

	// A job that runs each second may have failed for days.
	private static final int MOST_MISSED = 100;

	private static final String MISSED = "Planned times since the last success, at most " + MOST_MISSED
			+ ". A run that goes on stops the count";

	private static final double MILLIS = 1000;

	private final LockJobs jobs;

	private final Plans plans;

	private final Supplier<Instant> now;

	private final LongSupplier nanoTime;

	private final AtomicReference<@Nullable CompletableFuture<Void>> reading = new AtomicReference<>();

	// When the last reader waited.
	private final AtomicReference<@Nullable Long> waited = new AtomicReference<>();

	private volatile Map<String, LockJob> known = Map.of();

	/**
	 * Create the metrics.
	 * @param jobs the jobs
	 * @param plans when they are planned
	 * @param now the time for people
	 * @param nanoTime the time since a moment
	 */
	public JobMetrics(LockJobs jobs, Plans plans, Supplier<Instant> now, LongSupplier nanoTime) {
		this.jobs = jobs;
		this.plans = plans;
		this.now = now;
		this.nanoTime = nanoTime;
	}

	/**
	 * Register the gauges.
	 * @param registry where they are registered
	 * @param names the names of the jobs
	 */
	public void register(MeterRegistry registry, List<String> names) {
		for (String name : names) {
			gauge(registry, LockMetricNames.JOB_PAUSED, "1 if the job is paused, 0 if not", name,
					(job) -> (job.pausedSince() != null) ? 1 : 0);
			gauge(registry, LockMetricNames.JOB_MISSED, MISSED, name, this::missed);
			Gauge.builder(LockMetricNames.JOB_LAST_SUCCESS, () -> value(name, this::age))
				.description("Time since the last success. If none is known, the time since the first run that is")
				.baseUnit("seconds")
				.tag(LockMetricNames.NAME, name)
				.register(registry);
		}
	}

	private void gauge(MeterRegistry registry, String meter, String description, String name,
			ToDoubleFunction<LockJob> value) {
		Gauge.builder(meter, () -> value(name, value))
			.description(description)
			.tag(LockMetricNames.NAME, name)
			.register(registry);
	}

	private double value(String name, ToDoubleFunction<LockJob> value) {
		Long before = this.waited.get();
		long now = this.nanoTime.getAsLong();
		if ((before == null || now - before > READ_EVERY.toNanos()) && this.waited.compareAndSet(before, now)) {
			await(read());
		}
		LockJob job = this.known.get(name);
		return (job != null) ? value.applyAsDouble(job) : Double.NaN;
	}

	private static void await(CompletableFuture<Void> read) {
		try {
			read.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.debug("The metrics of jobs have old values", ex);
		}
	}

	private CompletableFuture<Void> read() {
		CompletableFuture<Void> read = new CompletableFuture<>();
		CompletableFuture<Void> before = this.reading.getAndUpdate((other) -> (other != null) ? other : read);
		if (before != null) {
			return before;
		}
		Throwable failure = Failures.thrownBy(() -> {
			Thread thread = new Thread(null, () -> readNow(read), "zk-lock-job-metrics", 0, false);
			thread.setDaemon(true);
			thread.start();
		});
		if (failure != null) {
			this.reading.set(null);
			read.complete(null);
			logger.debug("There is no thread to read the jobs for their metrics", failure);
		}
		return read;
	}

	private void readNow(CompletableFuture<Void> read) {
		try {
			this.known = this.jobs.list()
				.stream()
				.collect(Collectors.toMap(LockJob::name, Function.identity(), (one, other) -> one));
		}
		catch (RuntimeException ex) {
			logger.debug("The jobs cannot be read for their metrics", ex);
		}
		finally {
			this.reading.set(null);
			read.complete(null);
		}
	}

	private double age(LockJob job) {
		Instant since = since(job);
		return (since != null) ? Math.max(0, Duration.between(since, this.now.get()).toMillis() / MILLIS) : Double.NaN;
	}

	// A job has succeeded when all its shards have.
	private static @Nullable Instant since(LockJob job) {
		Map<Integer, List<LockJob.Run>> runs = job.runs()
			.stream()
			.collect(Collectors.groupingBy((run) -> Objects.requireNonNullElse(run.shard(), 0)));
		return runs.values().stream().map(JobMetrics::since).min(Comparator.naturalOrder()).orElse(null);
	}

	// Without a known success, all known runs are after it.
	private static Instant since(List<LockJob.Run> runs) {
		return runs.stream()
			.filter((run) -> run.outcome() == Outcome.DONE)
			.map((run) -> Objects.requireNonNullElse(run.ended(), run.began()))
			.findFirst()
			.orElseGet(() -> runs.stream().map(LockJob.Run::began).min(Comparator.naturalOrder()).orElseThrow());
	}

	private double missed(LockJob job) {
		Instant since = since(job);
		if (since == null) {
			return Double.NaN;
		}
		// What is planned during a run is not missed yet.
		Instant until = job.runs()
			.stream()
			.filter((run) -> run.outcome() == Outcome.RUNNING)
			.map(LockJob.Run::began)
			.findFirst()
			.orElseGet(this.now);
		return this.plans.count(job.name(), since, until, MOST_MISSED);
	}

	/**
	 * The plans of the jobs.
	 */
	@FunctionalInterface
	public interface Plans {

		/**
		 * Count the planned times of a job.
		 * @param name the name of the job
		 * @param after the time after which they are counted
		 * @param until the time until which they are counted
		 * @param most the number at which counting ends
		 * @return the number
		 */
		long count(String name, Instant after, Instant until, int most);

	}

}
