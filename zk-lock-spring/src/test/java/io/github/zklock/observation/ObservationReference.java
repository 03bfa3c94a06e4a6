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

import java.lang.reflect.Field;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.internal.NoOpLockProvider;
import io.github.zklock.core.spi.ProviderGauges;
import io.github.zklock.leader.internal.LeaderStatus;
import io.github.zklock.observation.internal.FenceMetrics;
import io.github.zklock.observation.internal.JobMetrics;
import io.github.zklock.observation.internal.LeaderMetrics;
import io.github.zklock.observation.internal.LockMetricNames;
import io.github.zklock.observation.internal.LockMetrics;
import io.github.zklock.observation.internal.LockProviderMetrics;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.springframework.beans.BeanUtils;

/**
 * What an application can see of its locks, as a registry has it, for the reference page.
 */
public final class ObservationReference {

	private ObservationReference() {
	}

	/**
	 * Return the meters of an application that has run one scheduled task, by their
	 * names.
	 */
	public static Map<String, Meter.Id> meters() {
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		LockRequest request = LockRequest.of("key").withTick(LockTick.every("Jobs.report", Duration.ofHours(1)));
		new LockTemplate(new NoOpLockProvider(), List.of(new LockMetrics(registry))).execute(request, (handle) -> null);
		new FenceMetrics(registry);
		new JobMetrics(new JobMetricsTests.Jobs(), (name, after, until, most) -> 0, Instant::now, System::nanoTime)
			.register(registry, List.of("report"));
		new LockProviderMetrics(Map.of("zkLockProvider", new NoFigures())).bindTo(registry);
		LeaderStatus status = new LeaderStatus("indexer", LeaderStatus.State.OUT, null, Duration.ZERO, 0);
		LeaderMetrics.register(registry, () -> List.of(status));
		Map<String, Meter.Id> meters = new TreeMap<>();
		registry.getMeters().forEach((meter) -> meters.put(meter.getId().getName(), meter.getId()));
		return meters;
	}

	/**
	 * Return the names that the code has for meters.
	 */
	public static List<String> names() throws IllegalAccessException {
		List<String> names = new ArrayList<>();
		for (Field constant : LockMetricNames.class.getFields()) {
			names.add((String) constant.get(null));
		}
		names.removeIf((name) -> !name.startsWith("zk.lock."));
		return names;
	}

	/**
	 * Return the name of an observation, and that of its span.
	 */
	public static List<String> span(LockObservationDocumentation observation) {
		LockObservationConvention convention = (LockObservationConvention) BeanUtils
			.instantiateClass(observation.getDefaultConvention());
		LockObservationContext context = new LockObservationContext(LockRequest.of("key").withName("<name>"), true);
		return List.of(convention.getName(), convention.getContextualName(context));
	}

	private static final class NoFigures implements ProviderGauges {

		@Override
		public boolean isConnected() {
			return false;
		}

		@Override
		public Duration leaseLeft() {
			return null;
		}

	}

}
