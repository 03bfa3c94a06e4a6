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
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.zookeeper.SimulatedZooKeeper;
import org.apache.zookeeper.ZooKeeper;

/**
 * The simulated ensemble with the settings of the real server, as one server or several.
 */
final class SimulatedSide extends ServerSide {

	private static final long PATIENCE = TimeUnit.MINUTES.toNanos(10);

	private static final long SETTLED = TimeUnit.MILLISECONDS.toNanos(20);

	private final Schedule schedule;

	private final SimulatedEnsemble ensemble;

	private final int servers;

	SimulatedSide(long seed) {
		this(seed, 1);
	}

	SimulatedSide(long seed, int servers) {
		this.servers = servers;
		int tick = (int) ZooKeeperServerFixture.TICK.toMillis();
		this.schedule = new Schedule(seed);
		this.ensemble = new SimulatedEnsemble(this.schedule,
				EnsembleSettings.defaults()
					.withServers(servers)
					.withTickTime(tick)
					.withSessionTimeouts(2 * tick, (int) TimeUnit.MINUTES.toMillis(2))
					.withReaper(TimeUnit.DAYS.toMillis(1)));
	}

	@Override
	ZooKeeper connect(RecordedClient client, Duration timeout) {
		return this.ensemble.connect(client.name(), (int) timeout.toMillis(), client);
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
	void cut(RecordedClient client) {
		int seen = client.size();
		link(client).refuse(true);
		link(client).cut();
		client.awaitState(seen, "Disconnected");
	}

	@Override
	void blackhole(RecordedClient client) {
		link(client).refuse(true);
		link(client).blackHole();
	}

	@Override
	long nanoTime() {
		return this.schedule.now();
	}

	@Override
	void heal(RecordedClient client) {
		// All servers have applied what was written, so that each of them tells the same.
		this.schedule.runFor(SETTLED);
		link(client).refuse(false);
	}

	@Override
	void cutAt(RecordedClient client, ZooKeeperOperation operation, boolean carriedOut, Runnable requests) {
		link(client).refuse(true);
		if (carriedOut) {
			link(client).cutBeforeNextReply();
		}
		else {
			link(client).cutBeforeNextRequest();
		}
		requests.run();
		client.awaitAnswers();
	}

	@Override
	void expire(long session) {
		this.ensemble.expire(session);
		await("the end of a session", () -> !this.ensemble.sessions().contains(session));
	}

	@Override
	void reapContainers() {
		this.ensemble.reap();
		// A real server takes what comes later after it.
		this.schedule.runFor(SETTLED);
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
		return (this.servers > 1) ? this.servers + " simulated" : "simulated";
	}

	private static ClientLink link(RecordedClient client) {
		return ((SimulatedZooKeeper) client.zooKeeper()).link();
	}

}
