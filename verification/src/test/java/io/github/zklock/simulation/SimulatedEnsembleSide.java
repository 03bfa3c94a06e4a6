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
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.apache.zookeeper.ZooKeeper;

/**
 * Three simulated servers.
 */
final class SimulatedEnsembleSide extends EnsembleSide {

	private static final long PATIENCE = TimeUnit.MINUTES.toNanos(10);

	private final Schedule schedule;

	private final SimulatedEnsemble ensemble;

	SimulatedEnsembleSide(long seed) {
		this.schedule = new Schedule(seed);
		this.ensemble = new SimulatedEnsemble(this.schedule,
				EnsembleSettings.defaults().withTickTime((int) TICK.toMillis()));
	}

	@Override
	ZooKeeper connect(RecordedClient client, Duration timeout) {
		return this.ensemble.connect(client.name(), (int) timeout.toMillis(), client, false, List.of(server()));
	}

	@Override
	void await(String what, BooleanSupplier condition) {
		long deadline = this.schedule.now() + PATIENCE;
		while (!condition.getAsBoolean()) {
			if (!this.schedule.step() || this.schedule.now() > deadline) {
				throw new AssertionError("Waited in vain for " + what);
			}
		}
	}

	@Override
	long nanoTime() {
		return this.schedule.now();
	}

	@Override
	int leader() {
		return this.ensemble.leader();
	}

	@Override
	int follower() {
		return leader() % 3 + 1;
	}

	@Override
	void cutOff(int server) {
		this.ensemble.isolate(server);
	}

	@Override
	void heal() {
		for (int server = 1; server <= 3; server++) {
			this.ensemble.heal(server);
		}
		this.schedule.runFor(TimeUnit.SECONDS.toNanos(30));
	}

	@Override
	void kill(int server) {
		this.ensemble.crash(server);
	}

	@Override
	void close(RecordedClient client) {
		boolean alive = client.zooKeeper().getState().isAlive();
		try {
			client.zooKeeper().close();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("There is nothing to wait for", ex);
		}
		if (alive) {
			client.awaitEvent(0, "Closed");
		}
	}

	@Override
	public void close() {
		// There is no thread and no file.
	}

	@Override
	public String toString() {
		return "simulated";
	}

}
