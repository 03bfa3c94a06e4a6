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

package io.github.zklock.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records which locks were requested inside which others, by their names, and where that
 * was seen first. Warns once of each order that forms a circle. A name inside itself does
 * not count.
 */
final class LockOrderGraph {

	static final int MAX_STEPS = 1000;

	private static final Logger logger = LoggerFactory.getLogger(LockOrderGraph.class);

	// Written under the monitor of this object only, so that no circle is missed.
	private final Map<String, Map<String, String>> steps = new ConcurrentHashMap<>();

	private int size;

	private volatile boolean full;

	/**
	 * Add that a lock was requested inside another.
	 * @param outer the name of the lock that is held
	 * @param inner the name of the lock that is requested
	 * @param place returns the place in the code, if it has to be remembered
	 */
	void add(String outer, String inner, Supplier<String> place) {
		if (knows(outer, inner)) {
			return;
		}
		List<String> circle = remember(outer, inner, place.get());
		if (!circle.isEmpty()) {
			logger.warn(
					"Locks are taken in different orders, so that callers can block each other until their time to "
							+ "wait is over: {}. Take them in one order everywhere, or all at once, which sorts them",
					String.join("; but ", circle));
		}
	}

	/**
	 * Return whether it is known that a lock is requested inside another.
	 * @param outer the name of the lock that is held
	 * @param inner the name of the lock that is requested
	 * @return {@code true} also if no order is watched any longer
	 */
	boolean knows(String outer, String inner) {
		return this.full || this.steps.getOrDefault(outer, Map.of()).containsKey(inner);
	}

	private synchronized List<String> remember(String outer, String inner, String place) {
		if (knows(outer, inner)) {
			return List.of();
		}
		List<String> circle = way(inner, outer);
		if (!circle.isEmpty()) {
			circle.add(place);
		}
		this.steps.computeIfAbsent(outer, (name) -> new ConcurrentHashMap<>()).put(inner, place);
		if (++this.size == MAX_STEPS) {
			this.full = true;
			logger.info("The order in which locks are taken is no longer watched, since {} pairs of names were seen: a "
					+ "name is for a kind of locks, not for a single one", MAX_STEPS);
		}
		return circle;
	}

	// Returns the places on the shortest path, none if there is no path.
	private List<String> way(String from, String to) {
		Map<String, String> reachedBy = new HashMap<>();
		Deque<String> next = new ArrayDeque<>(List.of(from));
		while (!next.isEmpty() && !reachedBy.containsKey(to)) {
			String name = next.remove();
			for (String inner : this.steps.getOrDefault(name, Map.of()).keySet()) {
				if (reachedBy.putIfAbsent(inner, name) == null) {
					next.add(inner);
				}
			}
		}
		List<String> places = new ArrayList<>();
		String inner = to;
		for (String outer = reachedBy.get(inner); outer != null && !inner.equals(from); outer = reachedBy.get(inner)) {
			places.add(this.steps.getOrDefault(outer, Map.of()).getOrDefault(inner, inner));
			inner = outer;
		}
		Collections.reverse(places);
		return places;
	}

}
