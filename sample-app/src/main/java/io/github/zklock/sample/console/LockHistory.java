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

package io.github.zklock.sample.console;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockState;
import io.github.zklock.sample.console.Snapshot.Span;
import io.github.zklock.sample.node.WriteRefused;
import org.jspecify.annotations.Nullable;

import org.springframework.context.event.EventListener;

/**
 * Who of this process has held which lock when, for a minute, and counters.
 */
class LockHistory {

	static final long KEPT_MILLIS = 60_000;

	// Several times what the busiest key of the sample has in a minute.
	private static final int MOST_OF_ONE_KEY = 1000;

	private final Map<String, Deque<Entry>> keys = new HashMap<>();

	private final Map<String, Led> led = new ConcurrentHashMap<>();

	private final AtomicLong grants = new AtomicLong();

	private final AtomicLong waits = new AtomicLong();

	private final AtomicLong losses = new AtomicLong();

	private final AtomicLong refusedWrites = new AtomicLong();

	void waits() {
		this.waits.incrementAndGet();
	}

	void acquired(String node, LockHandle handle) {
		this.grants.incrementAndGet();
		long now = System.currentTimeMillis();
		synchronized (this.keys) {
			for (LockHandle each : handle.handles()) {
				Deque<Entry> entries = this.keys.computeIfAbsent(each.key(), (key) -> new ArrayDeque<>());
				if (find(entries, node, each) == null) {
					entries.addLast(new Entry(node, each.mode().name(), each.fencingToken(), now));
					if (entries.size() > MOST_OF_ONE_KEY) {
						entries.removeFirst();
					}
				}
			}
		}
	}

	void lost(String node, LockHandle handle) {
		ended(node, handle, "LOST");
	}

	void released(String node, LockHandle handle) {
		ended(node, handle, (handle.state() == LockState.LOST) ? "LOST" : "RELEASED");
	}

	void leads(String node, String role) {
		this.led.put(role, new Led(node, System.currentTimeMillis()));
	}

	/**
	 * Return since when a node of this process leads a role.
	 * @param role the role
	 * @return the last grant, if there was one
	 */
	Optional<Led> led(String role) {
		return Optional.ofNullable(this.led.get(role));
	}

	@EventListener
	void refused(WriteRefused write) {
		this.refusedWrites.incrementAndGet();
	}

	Snapshot.Counters counters() {
		return new Snapshot.Counters(this.grants.get(), this.waits.get(), this.losses.get(), this.refusedWrites.get());
	}

	/**
	 * Return what was held in the last minute.
	 * @return the spans by key, oldest first
	 */
	SortedMap<String, List<Span>> timelines() {
		long oldest = System.currentTimeMillis() - KEPT_MILLIS;
		SortedMap<String, List<Span>> timelines = new TreeMap<>();
		synchronized (this.keys) {
			for (Iterator<Map.Entry<String, Deque<Entry>>> keys = this.keys.entrySet().iterator(); keys.hasNext();) {
				Map.Entry<String, Deque<Entry>> key = keys.next();
				key.getValue().removeIf((entry) -> entry.to != null && entry.to < oldest);
				if (key.getValue().isEmpty()) {
					keys.remove();
				}
				else {
					timelines.put(key.getKey(), new ArrayList<>(key.getValue().stream().map(Entry::span).toList()));
				}
			}
		}
		return timelines;
	}

	private void ended(String node, LockHandle handle, String end) {
		long now = System.currentTimeMillis();
		synchronized (this.keys) {
			for (LockHandle each : handle.handles()) {
				Deque<Entry> entries = this.keys.getOrDefault(each.key(), new ArrayDeque<>());
				Entry entry = find(entries, node, each);
				if (entry != null && end.equals("LOST") && !end.equals(entry.end)) {
					this.losses.incrementAndGet();
					// The client may find out only after the return.
					entry.end = end;
				}
				if (entry != null && entry.to == null) {
					entry.end = end;
					// A release is reported a moment after the next one has got the lock.
					entry.to = end.equals("RELEASED") ? Math.min(now, next(entries, entry)) : now;
				}
			}
		}
	}

	private static long next(Collection<Entry> entries, Entry entry) {
		return entries.stream()
			.filter((other) -> other.token > entry.token && !(other.mode.equals("READ") && entry.mode.equals("READ")))
			.mapToLong((other) -> Math.max(other.from, entry.from))
			.min()
			.orElse(Long.MAX_VALUE);
	}

	private static @Nullable Entry find(Collection<Entry> entries, String node, LockHandle handle) {
		return entries.stream()
			.filter((entry) -> entry.token == handle.fencingToken() && entry.node.equals(node))
			.findFirst()
			.orElse(null);
	}

	/**
	 * A grant of a role.
	 *
	 * @param node who
	 * @param since when
	 */
	record Led(String node, long since) {

	}

	/**
	 * How long a node has held a lock.
	 */
	private static final class Entry {

		private final String node;

		private final String mode;

		private final long token;

		private final long from;

		private @Nullable Long to;

		private @Nullable String end;

		Entry(String node, String mode, long token, long from) {
			this.node = node;
			this.mode = mode;
			this.token = token;
			this.from = from;
		}

		Span span() {
			return new Span(this.node, this.mode, this.token, this.from, this.to, this.end);
		}

	}

}
