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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * What locks cost an ensemble does not grow with the number of those who want them,
 * except where a test says so.
 */
class ScaleTests {

	@Test
	void lockOfAFreeKeyTakesTwoWritesAndOneRead() {
		KeysInTurn.Cost third = KeysInTurn.of(10, 4).get(3);
		assertThat(third.requests()).isEqualTo(3);
		assertThat(third.writes()).isEqualTo(2);
		assertThat(third.transactions()).isEqualTo(2);
	}

	@Test
	void grantTakesTheSameRequestsHoweverManyClientsWantTheKey() {
		for (int clients : new int[] { 10, 20 }) {
			BusyKey.Cost cost = BusyKey.of(clients, 1).cost();
			assertThat(cost.writes()).isEqualTo(2, within(0.1));
			assertThat(cost.lists()).isEqualTo(2, within(0.1));
			assertThat(cost.reads()).isEqualTo(1, within(0.1));
			assertThat(cost.events()).as("clients woken").isEqualTo(1, within(0.01));
		}
	}

	@Test
	void clientSendsAHeartbeatEverySixthOfTheTimeoutHoweverManyLocksItHolds() {
		QuietFleet.Result result = QuietFleet.holding(2, 50);
		assertThat(result.heartbeats()).isEqualTo(2 * QuietFleet.HEARTBEATS, within(0.02));
		assertThat(result.rest()).as("exchanges with the leader").isEqualTo(2 * QuietFleet.HEARTBEATS, within(0.02));
		assertThat(result.pings() + result.reads()).isZero();
		assertThat(result.watches()).isZero();
	}

	@Test
	@EnabledIfSystemProperty(named = "scale", matches = ".+")
	void writesThePage() throws Exception {
		((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.ERROR);
		String parts = System.getProperty("scale");
		Path directory = Files.createDirectories(Path.of(System.getProperty("basedir", "."), "target", "scale"));
		Set<String> chosen = parts.equals("all") ? ScaleSimulation.PARTS
				: new LinkedHashSet<>(Arrays.asList(parts.split(",")));
		new ScaleSimulation(new ScalePage(directory)).run(chosen);
	}

}
