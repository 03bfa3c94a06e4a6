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
import java.util.Map;
import java.util.function.ToDoubleFunction;

import io.github.zklock.core.spi.ProviderGauges;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Measures what a provider knows of its connection and its nodes.
 *
 * @since 0.1.0
 */
public final class LockProviderMetrics implements MeterBinder {

	private static final double NANOS = Duration.ofSeconds(1).toNanos();

	private final Map<String, ProviderGauges> providers;

	/**
	 * Create the metrics.
	 * @param providers the gauges of the providers, by the names of their beans
	 */
	public LockProviderMetrics(Map<String, ProviderGauges> providers) {
		this.providers = Map.copyOf(providers);
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.providers.forEach((bean, provider) -> {
			gauge(registry, LockMetricNames.PENDING_DELETES, "Znodes that are to be deleted and may still exist", bean,
					provider, ProviderGauges::pendingDeletes);
			gauge(registry, LockMetricNames.CONNECTED, "1 if there is a connection to ZooKeeper, 0 if not", bean,
					provider, (gauges) -> gauges.isConnected() ? 1 : 0);
			Gauge.builder(LockMetricNames.LEASE_LEFT, provider, LockProviderMetrics::leaseLeft)
				.description("How long locks are certain to be held if ZooKeeper does not answer")
				.baseUnit("seconds")
				.tag(LockMetricNames.PROVIDER, bean)
				.strongReference(true)
				.register(registry);
			FunctionCounter.builder(LockMetricNames.REQUEUED, provider, ProviderGauges::requeuedRequests)
				.description("Requests that lost their place in the queue and queued again")
				.tag(LockMetricNames.PROVIDER, bean)
				.register(registry);
			FunctionCounter.builder(LockMetricNames.JOB_UNREADABLE, provider, ProviderGauges::unreadableJobs)
				.description("Reads of a job whose znode another client has overwritten")
				.tag(LockMetricNames.PROVIDER, bean)
				.register(registry);
		});
	}

	private static void gauge(MeterRegistry registry, String name, String description, String bean,
			ProviderGauges provider, ToDoubleFunction<ProviderGauges> value) {
		Gauge.builder(name, provider, value)
			.description(description)
			.tag(LockMetricNames.PROVIDER, bean)
			.strongReference(true)
			.register(registry);
	}

	private static double leaseLeft(ProviderGauges provider) {
		Duration left = provider.leaseLeft();
		return (left != null) ? left.toNanos() / NANOS : Double.NaN;
	}

}
