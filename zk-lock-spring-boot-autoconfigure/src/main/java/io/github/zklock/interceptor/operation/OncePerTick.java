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

package io.github.zklock.interceptor.operation;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Whether the run of a scheduled task is a tick, of which only one node runs each.
 *
 * @since 0.1.0
 */
public enum OncePerTick {

	/**
	 * It is not: each node tries to get the lock.
	 */
	NO(null),

	/**
	 * It is, as nothing else is said, unless the task is repeated more often than once a
	 * second.
	 */
	BY_DEFAULT(Duration.ofSeconds(1)),

	/**
	 * It is.
	 */
	YES(Duration.ZERO);

	private final @Nullable Duration shortestPeriod;

	OncePerTick(@Nullable Duration shortestPeriod) {
		this.shortestPeriod = shortestPeriod;
	}

	/**
	 * Return the shortest period of runs that are ticks.
	 * @return the period, or {@code null} if no run is a tick
	 */
	public @Nullable Duration shortestPeriod() {
		return this.shortestPeriod;
	}

}
