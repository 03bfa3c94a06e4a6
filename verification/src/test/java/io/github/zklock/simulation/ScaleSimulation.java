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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Counts what locks cost an ensemble at each size, and writes it to the page on scale.
 */
final class ScaleSimulation {

	/** What may be counted alone: the names of the tables of the page. */
	static final Set<String> PARTS = Set.of("busy-key", "quiet-clients", "many-keys", "permits", "writer",
			"one-ensemble");

	private static final int MOST_KEYS = 1_000_000;

	private static final int[] CLIENTS = { 1, 2, 3, 10, 30, 100, 300, 1000 };

	private static final int[] POWERS = { 1, 10, 100, 1000 };

	private static final int[] KEYS = { 1, 100, 1000, 10_000, 100_000, MOST_KEYS };

	private final ScalePage page;

	ScaleSimulation(ScalePage page) {
		this.page = page;
	}

	void run(Set<String> parts) throws Exception {
		if (!PARTS.containsAll(parts)) {
			throw new IllegalArgumentException("Not one of " + PARTS);
		}
		if (parts.contains("busy-key")) {
			busyKey();
		}
		if (parts.contains("quiet-clients")) {
			quietClients();
		}
		if (parts.contains("many-keys")) {
			manyKeys();
		}
		if (parts.contains("permits")) {
			permits();
		}
		if (parts.contains("writer")) {
			writerBehindReaders();
		}
		if (parts.contains("one-ensemble")) {
			oneEnsemble();
		}
	}

	private void busyKey() throws IOException {
		List<List<String>> rows = new ArrayList<>();
		rows.add(List.of("per grant: clients x threads", "writes", "transactions", "listings", "reads", "watches set",
				"events", "kB to clients", "free ms", "watches set in a second", "watches at once"));
		Curves counts = new Curves("one key that all clients want: per grant", "clients, of one thread each", false);
		Curves bytes = new Curves("one key that all clients want: kB sent to clients, per grant",
				"clients, of one thread each", true);
		Curves time = new Curves("one key that all clients want: ms from a release to the next grant",
				"clients, of one thread each", false);
		for (int clients : CLIENTS) {
			BusyKey.Result result = BusyKey.of(clients, 1);
			BusyKey.Cost cost = result.cost();
			rows.add(row(result));
			counts.add("writes", clients, cost.writes());
			counts.add("listings", clients, cost.lists());
			counts.add("reads of a node", clients, cost.reads());
			counts.add("events", clients, cost.events());
			bytes.add("all listings", clients, cost.kilobytes());
			time.add("free", clients, cost.freeMillis());
		}
		for (int threads : new int[] { 10, 100, 1000 }) {
			rows.add(row(BusyKey.of(1, threads)));
		}
		for (int threads : new int[] { 10, 100 }) {
			rows.add(row(BusyKey.of(10, threads)));
		}
		rows.add(row(BusyKey.of(100, 10)));
		this.page.picture("requests", counts);
		this.page.picture("bytes", bytes);
		this.page.picture("free", time);
		this.page.table("busy-key", rows);
	}

	private static List<String> row(BusyKey.Result result) {
		BusyKey.Cost cost = result.cost();
		double perSecond = cost.watches() * 1000 / (cost.freeMillis() + BusyKey.HOLD / 1e6);
		return cells(String.format(Locale.ROOT, "%,d x %,d", result.clients(), result.threads()), cost.writes(),
				cost.transactions(), cost.lists(), cost.reads(), cost.watches(), cost.events(), cost.kilobytes(),
				cost.freeMillis(), perSecond, result.watches());
	}

	private void quietClients() throws IOException {
		List<List<String>> rows = new ArrayList<>();
		rows.add(List.of("in a second: clients", "heartbeats", "pings", "reads", "other requests", "watches at once"));
		Curves curves = new Curves("clients in which nothing happens: requests in a second", "clients", true);
		for (int clients : POWERS) {
			QuietFleet.Result result = QuietFleet.holding(clients, 1);
			rows.add(row("%,d, holding a lock each", result));
			curves.add("heartbeats of holders", clients, result.heartbeats());
		}
		for (int locks : new int[] { 100, 10_000 }) {
			rows.add(row("1, holding " + ScalePage.number(locks) + " locks", QuietFleet.holding(1, locks)));
		}
		for (int clients : POWERS) {
			QuietFleet.Result result = QuietFleet.waiting(clients, 1);
			rows.add(row("%,d, waiting for one key, and its holder", result));
			curves.add("pings of waiters", clients, result.pings());
			curves.add("looks of waiters", clients, result.reads());
		}
		rows.add(row("1 with 1,000 threads waiting for one key, and its holder", QuietFleet.waiting(1, 1000)));
		this.page.picture("heartbeats", curves);
		this.page.table("quiet-clients", rows);
	}

	private static List<String> row(String what, QuietFleet.Result result) {
		return cells(String.format(Locale.ROOT, what, result.clients()), result.heartbeats(), result.pings(),
				result.reads(), result.rest(), result.watches());
	}

	private void manyKeys() throws IOException {
		List<List<String>> rows = new ArrayList<>();
		rows.add(List.of("per lock: keys, one after the other", "requests", "reads", "writes", "transactions", "events",
				"most nodes so far", "most watches so far"));
		Curves curves = new Curves("keys, one after the other: writes of a lock", "keys", false);
		for (int keys : KEYS) {
			int times = (keys == MOST_KEYS) ? 2 : 4;
			int time = 1;
			for (KeysInTurn.Cost cost : KeysInTurn.of(keys, times)) {
				rows.add(cells(String.format(Locale.ROOT, "%,d, time %d", keys, time), cost.requests(), cost.reads(),
						cost.writes(), cost.transactions(), cost.events(), cost.nodes(), cost.watches()));
				curves.add("time " + time, keys, cost.writes());
				time++;
			}
		}
		this.page.picture("keys", curves);
		this.page.table("many-keys", rows);
	}

	private void permits() throws IOException {
		List<List<String>> rows = new ArrayList<>();
		rows.add(List.of("per grant: permits", "writes", "listings", "watches set", "events", "kB to clients",
				"watches at once"));
		Curves curves = new Curves("a key with permits that 300 clients want: per grant", "permits", true);
		for (int permits : new int[] { 1, 2, 3, 10, 30, 100 }) {
			Permits.Cost cost = Permits.of(300, permits);
			rows.add(cells(String.valueOf(permits), cost.writes(), cost.lists(), cost.watchesSet(), cost.events(),
					cost.kilobytes(), cost.watches()));
			curves.add("watches set", permits, cost.watchesSet());
			curves.add("listings", permits, cost.lists());
			curves.add("events", permits, cost.events());
			curves.add("writes", permits, cost.writes());
		}
		this.page.picture("permits", curves);
		this.page.table("permits", rows);
	}

	private void writerBehindReaders() throws IOException {
		List<List<String>> rows = new ArrayList<>();
		rows.add(List.of("readers", "listings: first leaves first", "kB", "listings: last leaves first", "kB"));
		for (int readers : POWERS) {
			WriterBehindReaders.Cost least = WriterBehindReaders.of(readers, false);
			WriterBehindReaders.Cost most = WriterBehindReaders.of(readers, true);
			rows.add(
					cells(ScalePage.number(readers), least.lists(), least.kilobytes(), most.lists(), most.kilobytes()));
		}
		this.page.table("writer", rows);
	}

	private void oneEnsemble() throws Exception {
		List<List<String>> rows = new ArrayList<>();
		rows.add(List.of("servers", "writes in a second", "load average of the machine before"));
		Curves curves = new Curves(
				"locks of own keys in a second at half of the writes (2 writes each, and heartbeats)",
				"clients that hold locks", false);
		for (int servers : new int[] { 1, 3 }) {
			ServerWrites.Result result = ServerWrites.of(servers);
			rows.add(cells(String.valueOf(servers), result.writes(), result.load()));
			for (double clients = 1; clients <= 100_000; clients *= Math.sqrt(10)) {
				curves.add(servers + ((servers == 1) ? " server" : " servers"), clients,
						Math.max(0, (result.writes() / 2 - QuietFleet.HEARTBEATS * clients) / 2));
			}
		}
		this.page.picture("capacity", curves);
		this.page.table("one-ensemble", rows);
	}

	private static List<String> cells(String what, double... values) {
		return Stream.concat(Stream.of(what), DoubleStream.of(values).mapToObj(ScalePage::number)).toList();
	}

}
