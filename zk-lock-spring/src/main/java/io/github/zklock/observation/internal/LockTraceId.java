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

import java.util.function.Supplier;

import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import org.jspecify.annotations.Nullable;

/**
 * Returns the trace of the calling thread. The tracer is looked up at the first request
 * for a lock, since its parts may need beans with locks.
 *
 * @since 0.1.0
 */
public final class LockTraceId implements Supplier<@Nullable String> {

	private final Supplier<@Nullable Tracer> source;

	private volatile @Nullable Tracer tracer;

	/**
	 * Create the source of the trace id.
	 * @param source returns the tracer, {@code null} if there is none. It is called again
	 * after an exception
	 */
	public LockTraceId(Supplier<@Nullable Tracer> source) {
		this.source = source;
	}

	@Override
	public @Nullable String get() {
		Span span = tracer().currentSpan();
		return (span != null) ? span.context().traceId() : null;
	}

	private Tracer tracer() {
		Tracer known = this.tracer;
		if (known != null) {
			return known;
		}
		Tracer found;
		try {
			found = this.source.get();
		}
		catch (RuntimeException ex) {
			// A bean with a lock is creating the tracer.
			return Tracer.NOOP;
		}
		this.tracer = (found != null) ? found : Tracer.NOOP;
		return (found != null) ? found : Tracer.NOOP;
	}

}
