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

import io.github.zklock.core.LockHandle;
import io.github.zklock.transaction.FencedTransactions;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counts what the fences of transactions do.
 *
 * @since 0.1.0
 */
public final class FenceMetrics implements FencedTransactions.Listener {

	private final Counter raised;

	private final Counter refused;

	private final Counter rollbacks;

	/**
	 * Create the metrics.
	 * @param registry where the counters are registered
	 */
	public FenceMetrics(MeterRegistry registry) {
		this.raised = counter(registry, LockMetricNames.FENCE_RAISED, "Fences that were raised for a holder");
		this.refused = counter(registry, LockMetricNames.FENCE_REFUSED,
				"Holders that were refused since a later one had raised the fence");
		this.rollbacks = counter(registry, LockMetricNames.FENCE_ROLLBACKS,
				"Transactions that were rolled back since a later holder had raised the fence");
	}

	private static Counter counter(MeterRegistry registry, String name, String description) {
		return Counter.builder(name).description(description).register(registry);
	}

	@Override
	public void raised(LockHandle handle) {
		this.raised.increment();
	}

	@Override
	public void raiseRefused(LockHandle handle) {
		this.refused.increment();
	}

	@Override
	public void commitRefused(LockHandle handle) {
		this.rollbacks.increment();
	}

}
