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
import java.util.ArrayList;
import java.util.List;

import io.github.zklock.zookeeper.SimulatedProcess;

/**
 * One thread that takes the lock of one key after the other, and then of all of them
 * again.
 */
final class KeysInTurn {

	private static final int LOG = 10_000;

	private static final Duration UNTIL_TIDY = Duration.ofMinutes(5);

	private static final String NO_KEY = "[/, /locks]";

	private final CalmWorld world = new CalmWorld(1, 1);

	private final SimulatedProcess client = this.world.clients().get(0);

	private final int keys;

	private long locks;

	private int nodes;

	private int watches;

	private KeysInTurn(int keys) {
		this.keys = keys;
	}

	/**
	 * Count what a lock of so many keys asks for, the first time and each later time.
	 */
	static List<Cost> of(int keys, int times) {
		KeysInTurn run = new KeysInTurn(keys);
		List<Cost> costs = new ArrayList<>();
		for (int i = 0; i < times; i++) {
			costs.add(run.pass());
		}
		run.requireNothingLeft();
		return costs;
	}

	private void requireNothingLeft() {
		this.world.pass(UNTIL_TIDY);
		String left = this.client.leftovers() + this.world.ensemble().nodes().keySet();
		if (!left.equals(NO_KEY) || this.world.ensemble().watches() > 0) {
			throw new IllegalStateException("left: " + left + ", watches: " + this.world.ensemble().watches());
		}
	}

	private Cost pass() {
		Traffic.Totals before = this.world.traffic();
		long end = this.locks + this.keys;
		lock(0);
		while (this.locks < end) {
			long stop = Math.min(end, this.locks + LOG);
			this.world.until(() -> this.locks >= stop);
			this.world.ensemble().forgetLogs();
			this.nodes = Math.max(this.nodes, this.world.ensemble().nodes().size());
			this.watches = Math.max(this.watches, this.world.ensemble().watches());
		}
		Traffic.Totals sent = this.world.traffic().since(before);
		double count = this.keys;
		return new Cost(sent.requests() / count, (sent.lists() + sent.reads()) / count, sent.writes() / count,
				sent.transactions() / count, sent.events() / count, this.nodes, this.watches);
	}

	private void lock(int key) {
		CalmWorld.ask(this.client, "order-" + key, "thread")
			.thenCompose((handle) -> handle.releaseAsync())
			.thenRun(() -> {
				this.locks++;
				if (key + 1 < this.keys) {
					lock(key + 1);
				}
			});
	}

	/**
	 * The cost of one lock.
	 *
	 * @param nodes the most nodes that the servers had so far, looked at every 10,000
	 * locks
	 * @param watches the most watches that the servers had so far, looked at every 10,000
	 * locks
	 */
	record Cost(double requests, double reads, double writes, double transactions, double events, int nodes,
			int watches) {
	}

}
