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

package io.github.zklock.simulation;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import io.github.zklock.core.LockTick;

/**
 * Which planned runs have happened: each at most once, and none was refused for a run
 * that nobody had.
 */
final class TickBook {

	private final Map<String, Map<Instant, String>> runs = new HashMap<>();

	private final Map<String, Set<Instant>> possible = new HashMap<>();

	/**
	 * Somebody asks for a run, and may have it.
	 */
	void asked(String key, LockTick tick) {
		if (tick.time() != null) {
			this.possible.computeIfAbsent(key, (unknown) -> new HashSet<>()).add(tick.time());
		}
	}

	/**
	 * Somebody has a run.
	 * @return whether nobody else had it
	 */
	boolean granted(String key, LockTick tick) {
		return tick.time() == null || this.runs.computeIfAbsent(key, (unknown) -> new HashMap<>())
			.put(tick.time(), tick.call()) == null;
	}

	int runs() {
		return this.runs.values().stream().mapToInt(Map::size).sum();
	}

	Set<Instant> runsOf(String key) {
		return this.runs.getOrDefault(key, Map.of()).keySet();
	}

	Set<Instant> askedOf(String key) {
		return this.possible.getOrDefault(key, Set.of());
	}

}
