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

package io.github.zklock.benchmarks.lock;

import java.util.List;
import java.util.Map;

import io.github.zklock.benchmarks.server.Backend;
import io.github.zklock.benchmarks.server.ServerCounts;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Smoke tests for every {@link Peer} and every task of a {@link Fleet}: nothing is
 * measured.
 */
@Timeout(180)
class PeerSmokeTests {

	private static Backend.Running running;

	@BeforeAll
	static void startServer() throws Exception {
		running = Backend.NOSYNC.start();
	}

	@AfterAll
	static void stopServer() throws Exception {
		running.close();
	}

	@ParameterizedTest
	@EnumSource
	void everyPeerLocksTwice(Peer peer) throws Exception {
		try (Session session = Session.open(peer, running.client())) {
			session.contender().lock("peer").unlock();
			Contender.Held held = session.contender().lock("peer");
			assertThat(held).isNotNull();
			held.unlock();
		}
	}

	@Test
	void theServersWorkBeforeAnythingIsMeasured() throws Exception {
		ServerCounts before = ServerCounts.of(running.servers());
		ServerWarmUp.of(running, 100);
		ServerCounts counts = ServerCounts.of(running.servers()).since(before);
		assertThat(counts.writes()).isGreaterThan(2 * ServerWarmUp.PEERS.size());
		assertThat(counts.reads()).isPositive();
	}

	// The others have the same task, for more threads.
	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = { "ONE_BESIDE_MANY", "THOUSAND_WAITERS" })
	void everyFleetGetsLocksInEachJvm(Fleet fleet) throws Exception {
		Backend backend = FleetRun.plan(false)
			.stream()
			.filter((run) -> ((FleetRun) run).fleet() == fleet)
			.findFirst()
			.orElseThrow()
			.backend();
		// Two JVMs are enough to see that everything works.
		Map<String, Double> values = new FleetRun(fleet, backend, Peer.ZK_LOCK).run(running, List.of(1, 2),
				new FleetTimes(50, 50, 300));
		assertThat(values.get(FleetValues.THROUGHPUT)).isPositive();
		assertThat(values.get(FleetValues.LEAST_SHARE)).isPositive();
		assertThat(values.get("writes")).isPositive();
		assertThat(values.get(FleetValues.LONGEST_GAP) > 0).isEqualTo(fleet.hasTurns());
	}

}
