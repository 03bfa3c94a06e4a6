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

package io.github.zklock.observation;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockJob.Outcome;
import io.github.zklock.core.LockJobs;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.spi.JobStore;
import io.github.zklock.observation.internal.JobMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The gauges of jobs say what the cluster knows, even after an outage.
 */
class JobMetricsTests {

	private static final Instant NOW = Instant.parse("2026-10-05T10:00:00Z");

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final AtomicLong nanos = new AtomicLong();

	private final Jobs jobs = new Jobs();

	// Planned every 100 s.
	private final JobMetrics metrics = new JobMetrics(this.jobs,
			(name, after, until, most) -> Duration.between(after, until).toSeconds() / 100, () -> NOW, this.nanos::get);

	@Test
	void ageIsThatOfTheLastSuccess() {
		this.jobs.runs = List.of(run(50, Outcome.FAILED), run(250, Outcome.DONE), run(350, Outcome.DONE));
		register();
		awaitGauge("last.success", 249);
		assertThat(gauge("missed")).isEqualTo(2);
		assertThat(gauge("paused")).isZero();
	}

	@Test
	void ageOfAJobWithoutSuccessIsThatOfItsFirstKnownRun() {
		this.jobs.runs = List.of(run(50, Outcome.FAILED), run(450, Outcome.LOST));
		register();
		awaitGauge("last.success", 450);
		assertThat(gauge("missed")).isEqualTo(4);
	}

	@Test
	void ageOfAJobWithShardsIsTheOldestOfItsShards() {
		this.jobs.runs = List.of(ofShard(0, run(50, Outcome.DONE)), ofShard(1, run(60, Outcome.FAILED)),
				ofShard(0, run(250, Outcome.DONE)), ofShard(1, run(260, Outcome.DONE)));
		register();
		awaitGauge("last.success", 259);
	}

	private static LockJob.Run ofShard(int shard, LockJob.Run run) {
		return (LockJob.Run) Proxy.newProxyInstance(LockJob.class.getClassLoader(),
				new Class<?>[] { LockJob.Run.class },
				(proxy, method, args) -> method.getName().equals("shard") ? shard : method.invoke(run));
	}

	@Test
	void timesThatARunTakesAreNotMissed() {
		this.jobs.runs = List.of(run(800, Outcome.RUNNING), run(999, Outcome.DONE));
		register();
		awaitGauge("last.success", 998);
		assertThat(gauge("missed")).isOne();
	}

	@Test
	void jobThatHasNeverRunHasNoAge() {
		this.jobs.paused = true;
		register();
		awaitGauge("paused", 1);
		assertThat(gauge("last.success")).isNaN();
		assertThat(gauge("missed")).isNaN();
	}

	@Test
	void oldAnswerIsReadAgainAndStaysInAnOutage() {
		register();
		awaitGauge("paused", 0);
		int before = this.jobs.reads;
		this.jobs.paused = true;
		assertThat(gauge("paused")).isZero();
		this.jobs.down = true;
		this.nanos.addAndGet(JobMetrics.READ_EVERY.toNanos() + 1);
		assertThat(gauge("paused")).isZero();
		assertThat(this.jobs.reads).isEqualTo(before + 1);
		this.jobs.down = false;
		Awaitility.await().until(() -> {
			this.nanos.addAndGet(JobMetrics.READ_EVERY.toNanos() + 1);
			return gauge("paused") == 1;
		});
	}

	@Test
	void firstReaderWaitsForTheFirstReadOnce() {
		this.jobs.runs = List.of(run(250, Outcome.DONE));
		register();
		assertThat(gauge("last.success")).isEqualTo(249);
		assertThat(gauge("missed")).isEqualTo(2);
		assertThat(gauge("paused")).isZero();
		assertThat(this.jobs.reads).isOne();
	}

	@Test
	void jobsAreNotReadIfThereAreNone() {
		this.metrics.register(this.registry, List.of());
		assertThat(this.registry.getMeters()).isEmpty();
		assertThat(this.jobs.reads).isZero();
	}

	private void register() {
		this.metrics.register(this.registry, List.of("report"));
	}

	private void awaitGauge(String name, double value) {
		Awaitility.await().untilAsserted(() -> assertThat(gauge(name)).isEqualTo(value));
	}

	private double gauge(String name) {
		return this.registry.get("zk.lock.job." + name).tag("name", "report").gauge().value();
	}

	private static LockJob.Run run(long secondsAgo, Outcome outcome) {
		Instant began = NOW.minusSeconds(secondsAgo);
		return new JobStore.Run(began, false, 1, "node", began,
				(outcome == Outcome.DONE || outcome == Outcome.FAILED) ? began.plusSeconds(1) : null, outcome);
	}

	static final class Jobs implements LockJobs {

		private volatile List<LockJob.Run> runs = new ArrayList<>();

		private volatile boolean paused;

		private volatile boolean down;

		private volatile int reads;

		@Override
		public List<LockJob> list() {
			this.reads++;
			if (this.down) {
				throw new LockUnavailableException(LockRequest.of("report"), Duration.ZERO, "it is down", null);
			}
			return List.of(get("report"));
		}

		@Override
		public LockJob get(String name) {
			return new Job(name, this.paused ? NOW : null, this.runs);
		}

		@Override
		public void pause(String name, @Nullable String by) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void resume(String name) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletableFuture<@Nullable Void> run(String name) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletableFuture<@Nullable Void> run(String name, int shard) {
			throw new UnsupportedOperationException();
		}

	}

	private record Job(String name, @Nullable Instant pausedSince, List<LockJob.Run> runs) implements LockJob {

		@Override
		public String schedule() {
			return "Jobs.report";
		}

		@Override
		public String method() {
			return "Jobs.report";
		}

		@Override
		public String key() {
			return "report";
		}

		@Override
		public @Nullable String cron() {
			return null;
		}

		@Override
		public @Nullable String zone() {
			return null;
		}

		@Override
		public @Nullable Duration period() {
			return null;
		}

		@Override
		public @Nullable Instant nextTime() {
			return null;
		}

		@Override
		public @Nullable String pausedBy() {
			return null;
		}

	}

}
