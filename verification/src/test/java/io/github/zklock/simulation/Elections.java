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
import java.util.Comparator;
import java.util.List;

import io.github.zklock.simulation.SimulatedServer.Role;
import org.jspecify.annotations.Nullable;

/**
 * Who leads: the servers that see each other choose the one with the longest log, when
 * they are a majority. What only a minority has logged may be lost then, or survive.
 */
final class Elections {

	private final SimulatedEnsemble ensemble;

	private final List<SimulatedServer> servers;

	private final Lane lane;

	private long epoch;

	private @Nullable Leadership leadership;

	private boolean looking;

	Elections(SimulatedEnsemble ensemble, List<SimulatedServer> servers) {
		this.ensemble = ensemble;
		this.servers = servers;
		this.lane = ensemble.schedule().lane("election");
	}

	/**
	 * Begin with a leader and all followers.
	 */
	void begin() {
		SimulatedServer first = this.servers.get(this.ensemble.schedule().random().nextInt(this.servers.size()));
		Leadership begun = new Leadership(this.ensemble, first, ++this.epoch);
		this.leadership = begun;
		begun.establish();
		for (SimulatedServer server : this.servers) {
			if (server != first) {
				begun.link(server).begin();
			}
		}
	}

	/**
	 * Return who leads a majority now.
	 */
	@Nullable Leadership leadership() {
		return (this.leadership != null && this.leadership.isEstablished()) ? this.leadership : null;
	}

	/**
	 * Elect a leader, or let a server join the one there is, after a while.
	 */
	void look() {
		if (!this.looking && this.servers.stream().anyMatch(this::isLooking)) {
			this.looking = true;
			long longest = this.ensemble.settings().electionNanos();
			long nanos = longest / 10 + this.ensemble.schedule().random().nextLong(Math.max(longest, 1));
			this.lane.after(nanos, "elect", () -> {
				this.looking = false;
				decide();
			});
		}
	}

	private boolean isLooking(SimulatedServer server) {
		return (server.role() == Role.LOOKING || server.role() == Role.READ_ONLY) && server.leadership() == null
				&& server.leader() == null;
	}

	private void decide() {
		List<SimulatedServer> voters = new ArrayList<>();
		for (SimulatedServer server : this.servers) {
			if (isLooking(server) && (!server.isIsolated() || this.servers.size() == 1)) {
				voters.add(server);
			}
		}
		Leadership current = this.leadership;
		if (current != null && !current.isEnded() && !current.server().isIsolated()) {
			voters.forEach(current::join);
		}
		else if (2 * voters.size() > this.servers.size()) {
			lead(voters);
		}
		else {
			readOnly();
		}
		look();
	}

	private void lead(List<SimulatedServer> voters) {
		SimulatedServer chosen = voters.stream()
			.max(Comparator.comparingLong(SimulatedServer::lastLogged).thenComparing(SimulatedServer::id))
			.orElseThrow();
		chosen.stop(Role.LOOKING);
		Leadership next = new Leadership(this.ensemble, chosen, ++this.epoch);
		this.leadership = next;
		for (SimulatedServer voter : voters) {
			if (voter != chosen) {
				voter.stop(Role.LOOKING);
				next.join(voter);
			}
		}
		next.acknowledged();
	}

	private void readOnly() {
		if (this.ensemble.settings().readOnlyMode()) {
			for (SimulatedServer server : this.servers) {
				if (server.role() == Role.LOOKING && isLooking(server)) {
					server.serve(Role.READ_ONLY, this.ensemble.followerSessions(server));
				}
			}
		}
	}

}
