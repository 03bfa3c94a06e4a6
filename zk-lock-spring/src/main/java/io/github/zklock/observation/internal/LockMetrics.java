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

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.internal.LockKeys;
import io.github.zklock.core.internal.LockObserver;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures locks. There is one set of meters for each {@linkplain LockRequest#name()
 * name} and mode of a lock, never for a key. Only {@value #MOST_NAMES} names, each with
 * its mode, have meters of their own. All further names count as {@value #OTHER}.
 *
 * @since 0.1.0
 */
public final class LockMetrics implements LockObserver {

	/** How many names, each with its mode, have meters of their own. */
	public static final int MOST_NAMES = 1000;

	/** The name that counts all further names. */
	public static final String OTHER = "other";

	private static final Logger logger = LoggerFactory.getLogger(LockMetrics.class);

	private final MeterRegistry registry;

	private final Map<Name, LockMeters> meters = new ConcurrentHashMap<>();

	private final AtomicBoolean tooMany = new AtomicBoolean();

	/**
	 * Create the metrics.
	 * @param registry the registry of the meters
	 */
	public LockMetrics(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public LockObserver follow(LockRequest request) {
		LockMeters meters = meters(request);
		meters.asked(request);
		return new MeasuredRequest(meters);
	}

	@Override
	public void givenUp(LockRequest request) {
		meters(request).givenUp();
	}

	private LockMeters meters(LockRequest request) {
		return meters(new Name(request.name(), request.mode()));
	}

	private LockMeters meters(Name name) {
		LockMeters known = this.meters.get(name);
		if (known != null) {
			return known;
		}
		if (this.meters.size() >= MOST_NAMES && !name.name().equals(OTHER)) {
			if (this.tooMany.compareAndSet(false, true)) {
				logger.warn("There are more than {} names of locks: all others are counted for '{}'. A name is for "
						+ "many keys, like a method name", MOST_NAMES, OTHER);
			}
			logger.debug("Lock name '{}' is counted for '{}'", LockKeys.printable(name.name()), OTHER);
			return meters(new Name(OTHER, name.mode()));
		}
		return this.meters.computeIfAbsent(name,
				(absent) -> new LockMeters(this.registry, absent.name(), absent.mode()));
	}

	private record Name(String name, LockMode mode) {

	}

}
