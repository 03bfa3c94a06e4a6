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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.github.zklock.simulation.RecordedClient.Entry;

/**
 * Compares what clients were told by a real server with what they were told by a
 * simulated one.
 */
final class Comparison {

	private static final Pattern ZXID = Pattern.compile("@(-?\\d+)@");

	private static final int CONTEXT = 12;

	private final TreeMap<String, List<Entry>> real;

	private final TreeMap<String, List<Entry>> simulated;

	Comparison(Map<String, List<Entry>> real, Map<String, List<Entry>> simulated) {
		this.real = ranked(real);
		this.simulated = ranked(simulated);
	}

	/**
	 * Fail with the first difference, and with what came before it.
	 */
	void check(String run) {
		String client = null;
		int index = 0;
		int step = Integer.MAX_VALUE;
		TreeSet<String> names = new TreeSet<>(this.real.keySet());
		names.addAll(this.simulated.keySet());
		for (String name : names) {
			int same = same(name);
			if (same >= 0 && step(name, same) < step) {
				client = name;
				index = same;
				step = step(name, same);
			}
		}
		if (client != null) {
			throw new AssertionError(run + ": " + client + " is told something else in burst " + step + ", entry "
					+ index + "\n--- real\n" + excerpt(this.real, client, index) + "--- simulated\n"
					+ excerpt(this.simulated, client, index));
		}
	}

	// Return where the logs of a client differ first, -1 if they do not.
	private int same(String client) {
		List<Entry> first = this.real.getOrDefault(client, List.of());
		List<Entry> second = this.simulated.getOrDefault(client, List.of());
		int i = 0;
		int j = 0;
		while (i < first.size() && j < second.size()) {
			if (!first.get(i).text().equals(second.get(j).text())) {
				if (!isCutShort(first, i, second, j)) {
					return i;
				}
				i = closed(first, i);
				j = closed(second, j);
			}
			i++;
			j++;
		}
		return (i < first.size() || j < second.size()) ? i : -1;
	}

	// A server that has closed a session closes its connection, and what it has not yet
	// written to it is lost, as its threads happen to run.
	private static boolean isCutShort(List<Entry> real, int from, List<Entry> simulated, int other) {
		List<Entry> cut = real.subList(from, closed(real, from));
		List<Entry> missed = simulated.subList(other, closed(simulated, other));
		return !cut.isEmpty() && cut.stream().allMatch((entry) -> isEvent(entry, "Disconnected"))
				&& missed.stream().allMatch((entry) -> isEvent(entry, "Node")) && from + cut.size() < real.size()
				&& other + missed.size() < simulated.size();
	}

	private static int closed(List<Entry> log, int from) {
		int closed = from;
		while (closed < log.size() && !isEvent(log.get(closed), "Closed")) {
			closed++;
		}
		return closed;
	}

	private static boolean isEvent(Entry entry, String type) {
		return entry.brief().startsWith(type);
	}

	// A client that is there on one side only follows from another difference.
	private int step(String client, int index) {
		if (!this.real.containsKey(client) || !this.simulated.containsKey(client)) {
			return Integer.MAX_VALUE - 1;
		}
		return Math.min(step(this.real, client, index), step(this.simulated, client, index));
	}

	private static int step(Map<String, List<Entry>> logs, String client, int index) {
		List<Entry> log = logs.getOrDefault(client, List.of());
		return (index < log.size()) ? log.get(index).step() : Integer.MAX_VALUE - 1;
	}

	private static String excerpt(Map<String, List<Entry>> logs, String client, int index) {
		List<Entry> log = logs.getOrDefault(client, List.of());
		StringBuilder text = new StringBuilder();
		for (int i = Math.max(index - CONTEXT, 0); i < Math.min(index + 3, log.size()); i++) {
			Entry entry = log.get(i);
			text.append(
					String.format("%s %6d burst %5d %s%n", (i == index) ? ">" : " ", i, entry.step(), entry.text()));
		}
		return text.append((index < log.size()) ? "" : "> nothing\n").toString();
	}

	// Zxids count from where a server happens to be; their order is the same everywhere.
	private static TreeMap<String, List<Entry>> ranked(Map<String, List<Entry>> logs) {
		TreeSet<Long> zxids = new TreeSet<>();
		logs.values()
			.forEach((log) -> log
				.forEach((entry) -> ZXID.matcher(entry.text()).results().forEach((match) -> zxids.add(zxid(match)))));
		Map<Long, Integer> ranks = new TreeMap<>();
		zxids.forEach((zxid) -> ranks.put(zxid, ranks.size()));
		TreeMap<String, List<Entry>> ranked = new TreeMap<>();
		logs.forEach((client, log) -> ranked.put(client,
				ordered(log.stream()
					.map((entry) -> new Entry(entry.step(), entry.brief(),
							ZXID.matcher(entry.details()).replaceAll((match) -> "z" + ranks.get(zxid(match)))))
					.toList())));
		return ranked;
	}

	// A client keeps watchers in a set without an order and tells them one after the
	// other.
	private static List<Entry> ordered(List<Entry> log) {
		List<Entry> ordered = new ArrayList<>();
		for (int from = 0, to = 0; from < log.size(); from = to) {
			String event = event(log.get(from));
			while (to < log.size() && event(log.get(to)).equals(event)) {
				to++;
			}
			log.subList(from, to).stream().sorted(Comparator.comparing(Entry::brief)).forEach(ordered::add);
		}
		return ordered;
	}

	private static String event(Entry entry) {
		return entry.brief().replaceAll(" for \\w+$", "") + entry.details();
	}

	private static long zxid(MatchResult match) {
		return Long.parseLong(match.group(1));
	}

}
