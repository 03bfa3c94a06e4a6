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

import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.zookeeper.SimulatedProcess;

/**
 * One key that all threads of all clients want all the time: each holds it for a
 * millisecond and asks again at once.
 */
final class BusyKey {

	static final long HOLD = TimeUnit.MILLISECONDS.toNanos(1);

	private static final int FEWEST_GRANTS = 200;

	/** A client hands the key on within itself for a second, if nobody else wants it. */
	private static final int FEWEST_GRANTS_OF_THREADS = 4000;

	private final CalmWorld world;

	private final int clients;

	private final int threads;

	private long grants;

	private int watches;

	private BusyKey(int clients, int threads) {
		this.world = new CalmWorld(3, clients);
		this.clients = clients;
		this.threads = threads;
	}

	/**
	 * Count what so many clients, of so many threads each, ask for.
	 */
	static Result of(int clients, int threads) {
		return new BusyKey(clients, threads).run();
	}

	private Result run() {
		for (int thread = 0; thread < this.threads; thread++) {
			for (SimulatedProcess client : this.world.clients()) {
				ask(client, client.name() + "-" + thread);
			}
		}
		// The key is known to all of them then.
		long count = Math.max((long) this.clients * this.threads,
				(this.threads > 1) ? FEWEST_GRANTS_OF_THREADS : FEWEST_GRANTS);
		this.world.until(() -> this.grants == count);
		Traffic.Totals before = this.world.traffic();
		long start = this.world.now();
		this.watches = 0;
		this.world.until(() -> this.grants == 2 * count);
		return new Result(this.clients, this.threads,
				Cost.of(this.world.traffic().since(before), this.world.now() - start, count), this.watches);
	}

	private void ask(SimulatedProcess client, String thread) {
		CalmWorld.ask(client, "busy", thread).thenAccept((handle) -> granted(client, thread, handle));
	}

	private void granted(SimulatedProcess client, String thread, LockHandle handle) {
		this.grants++;
		this.watches = Math.max(this.watches, this.world.ensemble().watches());
		this.world.after(HOLD, () -> handle.releaseAsync().thenRun(() -> ask(client, thread)));
	}

	/**
	 * What was counted.
	 *
	 * @param watches the most watches that servers had at once
	 */
	record Result(int clients, int threads, Cost cost, int watches) {
	}

	/**
	 * The cost of one grant.
	 *
	 * @param watches the watches that were set
	 * @param freeMillis for how long nobody has the lock between two grants
	 */
	record Cost(double lists, double reads, double writes, double transactions, double watches, double events,
			double kilobytes, double freeMillis) {

		private static Cost of(Traffic.Totals sent, long nanos, double grants) {
			return new Cost(sent.lists() / grants, sent.reads() / grants, sent.writes() / grants,
					sent.transactions() / grants, sent.watches() / grants, sent.events() / grants,
					sent.bytes() / grants / 1000, (nanos / grants - HOLD) / 1e6);
		}

	}

}
