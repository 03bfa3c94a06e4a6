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

package io.github.zklock.benchmarks.interceptor;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.internal.NoOpLockProvider;
import io.github.zklock.observation.internal.LockMetrics;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One lock that costs nothing itself, with metrics and without: the difference is what
 * they cost. The medians of single calls count, which a busy machine disturbs little.
 *
 * @since 0.1.0
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(2)
public class MetricsBenchmark {

	private static final LockRequest REQUEST = LockRequest.of("order:42").withName("orders");

	private final LockTemplate plain = new LockTemplate(new NoOpLockProvider());

	private final LockTemplate measured = new LockTemplate(new NoOpLockProvider(),
			List.of(new LockMetrics(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT))));

	private final ObservationRegistry observations = ObservationRegistry.create();

	/**
	 * Create the registry of the observations.
	 */
	public MetricsBenchmark() {
		this.observations.observationConfig()
			.observationHandler(
					new DefaultMeterObservationHandler(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT)));
	}

	/**
	 * Lock without metrics.
	 * @return the token
	 */
	@Benchmark
	public long off() {
		return this.plain.execute(REQUEST, (handle) -> handle.fencingToken());
	}

	/**
	 * Lock with metrics.
	 * @return the token
	 */
	@Benchmark
	public long on() {
		return this.measured.execute(REQUEST, (handle) -> handle.fencingToken());
	}

	/**
	 * Lock with meters that come from two observations, one for the wait and one for the
	 * time for which the lock is held.
	 * @return the token
	 */
	@Benchmark
	public long observed() {
		Observation wait = observation("lock.wait").start();
		return this.plain.execute(REQUEST, (handle) -> {
			wait.lowCardinalityKeyValue("outcome", "acquired").stop();
			Observation hold = observation("lock.hold").start();
			long token = handle.fencingToken();
			hold.lowCardinalityKeyValue("outcome", "released").stop();
			return token;
		});
	}

	private Observation observation(String name) {
		return Observation.createNotStarted(name, this.observations)
			.lowCardinalityKeyValue("name", "orders")
			.lowCardinalityKeyValue("mode", "exclusive");
	}

}
