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
import java.util.concurrent.atomic.AtomicLong;

import io.github.zklock.zookeeper.SimulatedProcess;

/**
 * Clients in which nothing happens: all hold locks, or all wait for one that somebody
 * holds. What they send then is what keeps sessions and leases alive, and looks whether
 * an event was lost.
 */
final class QuietFleet {

	/** How many a client sends in a second while it holds locks: six in a timeout. */
	static final double HEARTBEATS = 6000.0 / CalmWorld.SESSION_TIMEOUT_MS;

	private static final Duration SETTLING = Duration.ofSeconds(30);

	private static final Duration HOLDING = Duration.ofMinutes(1);

	private static final Duration WAITING = Duration.ofMinutes(5);

	private QuietFleet() {
	}

	/**
	 * Count what clients send that hold so many locks each.
	 */
	static Result holding(int clients, int locks) {
		CalmWorld world = new CalmWorld(3, clients);
		AtomicLong held = new AtomicLong();
		for (SimulatedProcess client : world.clients()) {
			for (int i = 0; i < locks; i++) {
				CalmWorld.ask(client, client.name() + "-" + i, client.name() + "-" + i).thenRun(held::incrementAndGet);
			}
		}
		world.until(() -> held.get() == (long) clients * locks);
		return count(world, clients, locks, HOLDING);
	}

	/**
	 * Count what clients send in which so many threads each wait for one key.
	 */
	static Result waiting(int clients, int threads) {
		CalmWorld world = new CalmWorld(3, clients + 1);
		AtomicLong held = new AtomicLong();
		CalmWorld.ask(world.clients().get(clients), "busy", "holder").thenRun(held::incrementAndGet);
		world.until(() -> held.get() == 1);
		for (SimulatedProcess client : world.clients().subList(0, clients)) {
			for (int i = 0; i < threads; i++) {
				CalmWorld.ask(client, "busy", client.name() + "-" + i).thenRun(() -> {
					throw new IllegalStateException("granted");
				});
			}
		}
		return count(world, clients, threads, WAITING);
	}

	private static Result count(CalmWorld world, int clients, int each, Duration time) {
		world.pass(SETTLING);
		Traffic.Totals sent = world.pass(time);
		double seconds = time.toSeconds();
		return new Result(clients, each, sent.heartbeats() / seconds, sent.pings() / seconds,
				(sent.reads() + sent.lists()) / seconds, (sent.writes() + sent.others()) / seconds,
				world.ensemble().watches());
	}

	/**
	 * What was counted, in a second.
	 *
	 * @param each the locks held, or the threads that wait, of each client
	 * @param rest all requests that are none of the others
	 * @param watches the watches that the servers have
	 */
	record Result(int clients, int each, double heartbeats, double pings, double reads, double rest, int watches) {
	}

}
