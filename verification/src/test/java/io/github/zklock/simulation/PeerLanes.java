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

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The lanes between the servers of an ensemble, one for each direction.
 */
final class PeerLanes {

	private final List<SimulatedServer> servers;

	private final @Nullable Lane[][] lanes;

	private final Set<Lane> cut = new HashSet<>();

	PeerLanes(Schedule schedule, List<SimulatedServer> servers) {
		this.servers = servers;
		int count = servers.size();
		this.lanes = new Lane[count + 1][count + 1];
		for (int from = 1; from <= count; from++) {
			for (int to = 1; to <= count; to++) {
				if (from != to) {
					this.lanes[from][to] = schedule.lane(from + ">" + to);
				}
			}
		}
	}

	Lane of(SimulatedServer from, SimulatedServer to) {
		Lane lane = this.lanes[from.id()][to.id()];
		if (lane == null) {
			throw new IllegalArgumentException("a server does not send to itself");
		}
		return lane;
	}

	/**
	 * Let nothing arrive of what a server sends to another one, numbered from 1. What the
	 * other one sends arrives.
	 */
	void cut(int from, int to) {
		this.cut.add(of(server(from), server(to)));
		pause();
	}

	/**
	 * Let the next so many messages arrive in spite of that.
	 */
	void pass(int from, int to, int messages) {
		Lane direction = of(server(from), server(to));
		if (this.cut.contains(direction)) {
			direction.pass(messages);
		}
	}

	/**
	 * Let all arrive again.
	 */
	void mend(int from, int to) {
		this.cut.remove(of(server(from), server(to)));
		pause();
	}

	/**
	 * Let the timer of a server stand still: its ticks come at other moments afterwards.
	 * @return lets it go on
	 */
	Runnable stallTicks(int number) {
		Lane ticks = server(number).lane();
		ticks.pause();
		return ticks::resume;
	}

	private SimulatedServer server(int number) {
		return this.servers.get(number - 1);
	}

	/**
	 * Let nothing arrive from and at those who are isolated.
	 */
	void pause() {
		for (SimulatedServer from : this.servers) {
			for (SimulatedServer to : this.servers) {
				Lane lane = this.lanes[from.id()][to.id()];
				if (lane != null && (from.isIsolated() || to.isIsolated() || this.cut.contains(lane))) {
					lane.pause();
				}
				else if (lane != null) {
					lane.resume();
				}
			}
		}
	}

}
