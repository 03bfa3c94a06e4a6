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

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.SimulatedProcess;

/**
 * One key with some permits that a thread of each client wants all the time. Each holds
 * it for a while that differs, so that they leave in another order than they came.
 */
final class Permits {

	private static final long LONGEST_HOLD_OF_ONE = TimeUnit.MILLISECONDS.toNanos(2);

	private final SplittableRandom random = new SplittableRandom(1);

	private final CalmWorld world;

	private final LockRequest request;

	private final int permits;

	private long grants;

	private Permits(int clients, int permits) {
		this.world = new CalmWorld(3, clients);
		this.request = LockRequest.of("shared").withPermits(permits);
		this.permits = permits;
	}

	/**
	 * Count what a grant costs when so many clients want so many permits.
	 */
	static Cost of(int clients, int permits) {
		return new Permits(clients, permits).run(clients);
	}

	private Cost run(int clients) {
		this.world.clients().forEach(this::ask);
		long count = Math.max(clients, 200);
		this.world.until(() -> this.grants >= count);
		Traffic.Totals before = this.world.traffic();
		this.world.until(() -> this.grants >= 2 * count);
		Traffic.Totals sent = this.world.traffic().since(before);
		double all = count;
		return new Cost(sent.writes() / all, sent.lists() / all, sent.watches() / all, sent.events() / all,
				sent.bytes() / all / 1000, this.world.ensemble().watches());
	}

	private void ask(SimulatedProcess client) {
		CalmWorld.ask(client, this.request, client.name()).thenAccept((handle) -> granted(client, handle));
	}

	private void granted(SimulatedProcess client, LockHandle handle) {
		this.grants++;
		this.world.after(this.random.nextLong(this.permits * LONGEST_HOLD_OF_ONE),
				() -> handle.releaseAsync().thenRun(() -> ask(client)));
	}

	/**
	 * The cost of one grant.
	 *
	 * @param watchesSet the watches that were set
	 * @param watches the watches that servers have in the end
	 */
	record Cost(double writes, double lists, double watchesSet, double events, double kilobytes, int watches) {
	}

}
