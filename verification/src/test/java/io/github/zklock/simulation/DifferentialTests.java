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

import java.util.List;
import java.util.TreeMap;

import io.github.zklock.simulation.RecordedClient.Entry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds the simulated ensemble against a real server: the same random requests have to
 * get the same replies and events, in the same order.
 */
@Tag("server")
class DifferentialTests {

	private static final int OPERATIONS = 10_000;

	private static final int CALM = 450;

	private static final List<String> KINDS = List.of(": NODEEXISTS", ": NONODE", ": NOTEMPTY", ": BADVERSION",
			": NOCHILDRENFOREPHEMERALS", ": NOWATCHER", ": NOAUTH", ": CONNECTIONLOSS", "RUNTIMEINCONSISTENCY",
			"NodeCreated ", "NodeDeleted ", "NodeDataChanged ", "NodeChildrenChanged ", "DataWatchRemoved ",
			"ChildWatchRemoved ", "Disconnected", "SyncConnected", "Expired", "Closed");

	private final long seed = Long.getLong("differential.seed", 1);

	@Test
	void clientsAreToldTheSameByARealServerAndBySimulatedOnes() {
		System.out.println("-Ddifferential.seed=" + this.seed);
		TreeMap<String, List<Entry>> real = run(new RealSide());
		assertThat(missing(real)).as("replies that no client was given").isEmpty();
		for (int servers : List.of(1, 3)) {
			new Comparison(real, run(new SimulatedSide(this.seed, servers)))
				.check("-Ddifferential.seed=" + this.seed + ", simulated servers: " + servers);
		}
	}

	private static List<String> missing(TreeMap<String, List<Entry>> logs) {
		List<String> told = logs.values().stream().flatMap(List::stream).map(Entry::text).toList();
		return KINDS.stream().filter((kind) -> told.stream().noneMatch((line) -> line.contains(kind))).toList();
	}

	private TreeMap<String, List<Entry>> run(ServerSide opened) {
		try (ServerSide side = opened) {
			return new RandomRun(side, this.seed, CALM).run(OPERATIONS);
		}
	}

}
