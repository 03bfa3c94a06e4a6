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

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockListener;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockTick;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures locks. Its meters go by the {@linkplain LockRequest#name() name} of the lock,
 * never by the key, and are looked up once for each name and mode. A program that makes
 * names without end gets {@value #MOST_NAMES} of them; what else it uses counts for
 * {@value #OTHER}.
 *
 * @since 0.1.0
 */
public final class LockMetrics implements LockListener {

	/** How many names have meters of their own. */
	public static final int MOST_NAMES = 1000;

	/** What all further names are counted for. */
	public static final String OTHER = "other";

	private static final Logger logger = LoggerFactory.getLogger(LockMetrics.class);

	private final MeterRegistry registry;

	private final Function<LockRequest, String> client;

	private final Map<Name, NamedMeters> meters = new ConcurrentHashMap<>();

	/**
	 * Create the metrics.
	 * @param registry where the meters go
	 * @param client gives the name of the client that a request is for
	 */
	public LockMetrics(MeterRegistry registry, Function<LockRequest, String> client) {
		this.registry = registry;
		this.client = client;
	}

	@Override
	public LockListener follow(LockRequest request) {
		NamedMeters named = named(this.client.apply(request), request.name());
		LockMeters meters = named.of(request.mode());
		if (request.tick() != null) {
			named.ticks();
		}
		meters.waiting().incrementAndGet();
		return new Follower(named, meters);
	}

	private NamedMeters named(String client, String name) {
		Name key = new Name(client, name);
		NamedMeters known = this.meters.get(key);
		if (known != null) {
			return known;
		}
		if (this.meters.size() >= MOST_NAMES && !name.equals(OTHER)) {
			NamedMeters other = named(client, OTHER);
			logger.debug("Lock name '{}' is counted for '{}'", LockException.printable(name), OTHER);
			return other;
		}
		return this.meters.computeIfAbsent(key, (absent) -> {
			if (name.equals(OTHER)) {
				logger.warn("There are more than {} names of locks: all others are counted for '{}'. A name is for "
						+ "many keys, like that of a method", MOST_NAMES, OTHER);
			}
			return new NamedMeters(this.registry, absent);
		});
	}

	private record Name(String client, String name) {

	}

	/**
	 * The meters of one name, made as they are needed.
	 */
	private static final class NamedMeters {

		private final MeterRegistry registry;

		private final Name name;

		private final Map<LockMode, LockMeters> modes = new ConcurrentHashMap<>();

		private final Map<Class<?>, TickMeters> ticks = new ConcurrentHashMap<>();

		NamedMeters(MeterRegistry registry, Name name) {
			this.registry = registry;
			this.name = name;
		}

		LockMeters of(LockMode mode) {
			LockMeters known = this.modes.get(mode);
			return (known != null) ? known : this.modes.computeIfAbsent(mode,
					(absent) -> new LockMeters(this.registry, this.name.client(), this.name.name(), absent));
		}

		TickMeters ticks() {
			return this.ticks.computeIfAbsent(LockTick.class,
					(absent) -> TickMeters.of(this.registry, this.name.client(), this.name.name()));
		}

	}

	/**
	 * Measures one request. A lock that is lost is not held any more, and may be released
	 * later; its loss may be told, or be seen only when it is released.
	 */
	private static final class Follower implements LockListener {

		private final NamedMeters named;

		private final LockMeters meters;

		private final AtomicBoolean held = new AtomicBoolean();

		private final AtomicBoolean lost = new AtomicBoolean();

		Follower(NamedMeters named, LockMeters meters) {
			this.named = named;
			this.meters = meters;
		}

		@Override
		public void acquired(LockRequest request, LockHandle handle, Duration waited) {
			this.meters.held().incrementAndGet();
			this.held.set(true);
			answered(LockOutcome.ACQUIRED, waited);
			if (request.tick() != null) {
				this.named.ticks().run().increment();
			}
		}

		@Override
		public void notAcquired(LockRequest request, LockException exception) {
			LockOutcome outcome = LockOutcome.of(exception);
			answered(outcome, exception.getWaited());
			if (outcome == LockOutcome.UNAVAILABLE) {
				this.meters.unavailable().increment();
			}
			if (outcome == LockOutcome.NOT_ACQUIRED && request.tick() != null) {
				this.named.ticks().skipped().increment();
			}
		}

		@Override
		public void withdrawn(LockRequest request, Duration waited) {
			answered(LockOutcome.WITHDRAWN, waited);
		}

		private void answered(LockOutcome outcome, Duration waited) {
			this.meters.waiting().decrementAndGet();
			this.meters.waited(outcome).record(waited.toNanos(), TimeUnit.NANOSECONDS);
		}

		@Override
		public void lost(LockRequest request, LockHandle handle) {
			notHeld();
			if (this.lost.compareAndSet(false, true)) {
				this.meters.lost().increment();
			}
		}

		@Override
		public void released(LockRequest request, LockHandle handle, Duration held) {
			boolean isLost = handle.state() == LockState.LOST;
			if (isLost) {
				lost(request, handle);
			}
			notHeld();
			this.meters.held(isLost).record(held.toNanos(), TimeUnit.NANOSECONDS);
		}

		private void notHeld() {
			if (this.held.compareAndSet(true, false)) {
				this.meters.held().decrementAndGet();
			}
		}

	}

}
