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

import io.github.zklock.observation.internal.LockMetricNames;
import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation.Context;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observations of locks, which are for spans. {@link LockMetricNames} lists the
 * meters.
 * <p>
 * A span is current on the thread that runs the method. For a {@code CompletionStage} it
 * is current on the thread that begins it, and for publishers it is in Reactor's context
 * under {@code micrometer.observation}. The parent of a {@code Mono} is the observation
 * that is current on the subscribing thread. With
 * {@code spring.reactor.context-propagation=auto} it is the one of its context. A call
 * without a span around it writes no trace into its node. Requests of one process that
 * share a node show the trace of the first one. A wait of less than a millisecond may
 * have no span.
 *
 * @since 0.1.0
 */
public enum LockObservationDocumentation implements ObservationDocumentation {

	/**
	 * A request that could not be answered at once, until its answer.
	 */
	WAIT {

		@Override
		public Class<? extends ObservationConvention<? extends Context>> getDefaultConvention() {
			return LockObservationConvention.Wait.class;
		}

	},

	/**
	 * A lock, from its grant to its release.
	 */
	HOLD {

		@Override
		public Class<? extends ObservationConvention<? extends Context>> getDefaultConvention() {
			return LockObservationConvention.Hold.class;
		}

	};

	/** The prefix of the names of all observations of locks. */
	public static final String PREFIX = "zk.lock.span";

	@Override
	public KeyName[] getLowCardinalityKeyNames() {
		return LowCardinality.values();
	}

	@Override
	public KeyName[] getHighCardinalityKeyNames() {
		return HighCardinality.values();
	}

	/**
	 * The keys with few values.
	 */
	public enum LowCardinality implements KeyName {

		/** The name of the lock. */
		NAME("name"),

		/** The mode of the lock. */
		MODE("mode"),

		/** The outcome, see {@link LockObservationContext.Outcome}. */
		OUTCOME("outcome");

		private final String key;

		LowCardinality(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

	/**
	 * The keys with any number of values.
	 */
	public enum HighCardinality implements KeyName {

		/** The key of the lock. */
		KEY("zk.lock.key"),

		/** The fencing token of the lock, once it is acquired. */
		TOKEN("zk.lock.token"),

		/** The trace of the holder of a lock that was not acquired, if known. */
		HOLDER_TRACE("zk.lock.holder.trace_id");

		private final String key;

		HighCardinality(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

}
