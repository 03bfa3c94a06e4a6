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

import java.time.Duration;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.support.ZooKeeperOperation;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What may happen to messages that are under way when a simulated connection is cut: all
 * that may happen to them in a real network.
 */
class SimulatedCutTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	private static final int SEEDS = 100;

	@Test
	void aRequestThatIsLostIsCarriedOutOrNot() {
		TreeSet<String> outcomes = new TreeSet<>();
		for (int seed = 0; seed < SEEDS; seed++) {
			SimulatedSide side = new SimulatedSide(seed);
			RecordedClient client = new RecordedClient(side, "client", TIMEOUT).awaitConnected();
			RecordedClient other = new RecordedClient(side, "other", TIMEOUT).awaitConnected();
			client.create("/a", CreateMode.EPHEMERAL);
			AtomicInteger left = new AtomicInteger(seed % 8);
			side.await("some steps", () -> left.getAndDecrement() == 0);
			side.cut(client);
			outcomes.add(client.last("create") + ((other.sync("/").stat("/a") != null) ? ", there" : ", not there"));
		}
		assertThat(outcomes).anyMatch((outcome) -> outcome.contains(": OK"))
			.anyMatch((outcome) -> outcome.matches(".*CONNECTIONLOSS.*, there"))
			.anyMatch((outcome) -> outcome.matches(".*CONNECTIONLOSS.*, not there"));
	}

	@Test
	void anEventComesOrNotWhenTheReplyAfterItIsLost() {
		TreeSet<Boolean> told = new TreeSet<>();
		for (int seed = 0; seed < SEEDS; seed++) {
			SimulatedSide side = new SimulatedSide(seed);
			RecordedClient client = new RecordedClient(side, "client", TIMEOUT).awaitConnected();
			client.create("/a", CreateMode.EPHEMERAL).getData("/a", "watcher").awaitAnswers();
			side.cutAt(client, ZooKeeperOperation.SET_DATA, true, () -> client.setData("/a", "new", -1));
			told.add(client.told(0).contains("NodeDataChanged /a for watcher"));
		}
		assertThat(told).containsExactly(false, true);
	}

}
