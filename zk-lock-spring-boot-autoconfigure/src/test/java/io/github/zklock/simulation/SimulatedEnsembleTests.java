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
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.apache.zookeeper.AsyncCallback.Create2Callback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.SimulatedZooKeeper;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper.States;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SimulatedEnsemble}.
 */
class SimulatedEnsembleTests {

	private final List<String> heard = new ArrayList<>();

	@Test
	void aClientConnectsAndItsRequestsAreAnsweredInOrder() {
		Schedule schedule = new Schedule(1);
		SimulatedEnsemble ensemble = new SimulatedEnsemble(schedule, EnsembleSettings.defaults());
		SimulatedZooKeeper client = connect(ensemble, "a");
		create(client, "/locks", CreateMode.CONTAINER);
		create(client, "/locks/n-", CreateMode.EPHEMERAL_SEQUENTIAL);
		list(client, "/locks");
		runFor(schedule, 9);
		assertThat(this.heard).containsExactly("a SyncConnected", "OK /locks", "OK /locks/n-0000000000",
				"OK [n-0000000000]");
		assertThat(client.getState()).isEqualTo(States.CONNECTED);
		assertThat(ensemble.sessions()).containsExactly(client.getSessionId());
		assertThat(ensemble.nodes()).containsOnlyKeys("/", "/locks", "/locks/n-0000000000");
	}

	private SimulatedZooKeeper connect(SimulatedEnsemble ensemble, String name) {
		return ensemble.connect(name, 10_000, (event) -> this.heard.add(name + " " + event.getState()));
	}

	private void create(SimulatedZooKeeper client, String path, CreateMode mode) {
		Create2Callback reply = (rc, asked, context, name, stat) -> this.heard.add(Code.get(rc) + " " + name);
		client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, mode, reply, null);
	}

	private void list(SimulatedZooKeeper client, String path) {
		client.getChildren(path, false, (rc, asked, context, children, stat) -> this.heard.add(Code.get(rc) + " "
				+ children), null);
	}

	private static void runFor(Schedule schedule, int seconds) {
		schedule.runFor(TimeUnit.SECONDS.toNanos(seconds));
	}

}
