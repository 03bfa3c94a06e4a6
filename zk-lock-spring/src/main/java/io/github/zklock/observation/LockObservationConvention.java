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

import java.util.Locale;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockHolder;
import io.github.zklock.observation.LockObservationContext.Outcome;
import io.github.zklock.observation.LockObservationDocumentation.HighCardinality;
import io.github.zklock.observation.LockObservationDocumentation.LowCardinality;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation.Context;

/**
 * The names and contents of the observations of locks. A bean of this type replaces the
 * default ones, for waiting and for holding.
 *
 * @since 0.1.0
 */
public interface LockObservationConvention extends GlobalObservationConvention<LockObservationContext> {

	@Override
	default boolean supportsContext(Context context) {
		return context instanceof LockObservationContext;
	}

	@Override
	default KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
		Outcome outcome = context.getOutcome();
		return KeyValues.of(LowCardinality.NAME.withValue(context.getRequest().name()),
				LowCardinality.MODE.withValue(context.getRequest().mode().name().toLowerCase(Locale.ROOT)),
				LowCardinality.OUTCOME.withValue((outcome != null) ? outcome.text() : KeyValue.NONE_VALUE));
	}

	@Override
	default KeyValues getHighCardinalityKeyValues(LockObservationContext context) {
		KeyValues values = context.isKeyShown()
				? KeyValues.of(HighCardinality.KEY.withValue(context.getRequest().key())) : KeyValues.empty();
		LockHandle handle = context.getHandle();
		if (handle != null) {
			values = values.and(HighCardinality.TOKEN.withValue(Long.toString(handle.fencingToken())));
		}
		LockHolder holder = context.getHolder();
		return (holder != null && holder.traceId() != null)
				? values.and(HighCardinality.HOLDER_TRACE.withValue(holder.traceId())) : values;
	}

	/**
	 * The convention of {@link LockObservationDocumentation#WAIT}.
	 */
	class Wait implements LockObservationConvention {

		@Override
		public String getName() {
			return LockObservationDocumentation.PREFIX + ".wait";
		}

		@Override
		public String getContextualName(LockObservationContext context) {
			return "lock wait " + context.getRequest().name();
		}

	}

	/**
	 * The convention of {@link LockObservationDocumentation#HOLD}.
	 */
	class Hold implements LockObservationConvention {

		@Override
		public String getName() {
			return LockObservationDocumentation.PREFIX + ".hold";
		}

		@Override
		public String getContextualName(LockObservationContext context) {
			return "lock hold " + context.getRequest().name();
		}

	}

}
