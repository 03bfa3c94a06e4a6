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
import java.util.concurrent.ThreadLocalRandom;

import io.github.zklock.simulation.RecordedClient.Entry;
import io.github.zklock.support.IndependentOfBoot;
import org.junit.jupiter.api.Test;

/**
 * Holds the simulated ensemble against a real server: the same random requests have to
 * get the same replies and events, in the same order.
 */
@IndependentOfBoot
class DifferentialTests {

	private static final int OPERATIONS = 10_000;

	private static final int CALM = 450;

	private final long seed = Long.getLong("differential.seed", ThreadLocalRandom.current().nextInt(1_000_000));

	@Test
	void clientsAreToldTheSameByARealServerAndTheSimulatedOne() {
		System.out.println("seed " + this.seed);
		long start = System.nanoTime();
		TreeMap<String, List<Entry>> first = run(new RealSide());
		System.out.println("took " + (System.nanoTime() - start) / 1_000_000 + " ms, " + first.size() + " clients, "
				+ first.values().stream().mapToInt(List::size).sum() + " entries");
		new Comparison(first, run(new SimulatedSide(this.seed))).check("Run of seed " + this.seed);
	}

	private TreeMap<String, List<Entry>> run(ServerSide opened) {
		try (ServerSide side = opened) {
			return new RandomRun(side, this.seed, CALM).run(OPERATIONS);
		}
	}

}
