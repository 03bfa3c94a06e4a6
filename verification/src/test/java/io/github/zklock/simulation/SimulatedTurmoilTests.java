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

import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SimulatedEnsemble}: random requests and random faults.
 */
class SimulatedTurmoilTests {

	@Test
	void everythingIsAnsweredInOrderAndHealsAfterFaults() {
		TreeMap<String, Integer> answers = new TreeMap<>();
		// Among them are some in which a server without the others serves readers.
		for (long seed = 130; seed < 170; seed++) {
			Turmoil turmoil = new Turmoil(seed);
			turmoil.run();
			assertThat(turmoil.complaints()).as("seed %d", seed).isEmpty();
			turmoil.answers().forEach((what, count) -> answers.merge(what, count, Integer::sum));
		}
		assertThat(answers).doesNotContainKey("out of order")
			.containsKeys("OK", "NONODE", "NODEEXISTS", "CONNECTIONLOSS", "SESSIONEXPIRED", "OPERATIONTIMEOUT",
					"NOTREADONLY", "Disconnected", "SyncConnected", "ConnectedReadOnly", "Expired", "NodeCreated",
					"NodeDeleted", "NodeDataChanged", "NodeChildrenChanged");
	}

}
