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
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

import io.github.zklock.simulation.SimulatedServer.Role;
import org.apache.zookeeper.DeleteContainerRequest;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.DataNode;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ServerCode;

/**
 * What a leader does: it proposes transactions, commits in their order what a majority
 * has logged, ends sessions, and removes empty containers. It gives up when it does not
 * hear from a majority.
 */
final class Leadership {

	/** ZooKeeper removes at most 10,000 containers a minute. */
	private static final long REAP_PAUSE_MILLIS = 6;

	private final SimulatedEnsemble ensemble;

	private final SimulatedServer server;

	private final EnsembleSettings settings;

	private final List<PeerLink> followers = new ArrayList<>();

	private final TreeMap<Long, List<Runnable>> syncs = new TreeMap<>();

	private int committed;

	private boolean established;

	private boolean ended;

	private boolean halfTick;

	Leadership(SimulatedEnsemble ensemble, SimulatedServer server, long epoch) {
		this.ensemble = ensemble;
		this.server = server;
		this.settings = ensemble.settings();
		this.committed = server.applied();
		server.code().setZxid((this.settings.servers() == 1) ? server.lastLogged() : epoch << 32);
		server.lead(this);
	}

	SimulatedServer server() {
		return this.server;
	}

	boolean isEstablished() {
		return this.established && !this.ended;
	}

	boolean isEnded() {
		return this.ended;
	}

	// Followers

	/**
	 * Take a follower: it gets the history, and everything after it.
	 */
	void join(SimulatedServer follower) {
		PeerLink link = link(follower);
		link.synchronize();
		if (this.established) {
			link.upToDate(this.committed);
		}
	}

	PeerLink link(SimulatedServer follower) {
		PeerLink link = new PeerLink(this.ensemble, this, this.server, follower);
		// The end of the earlier one may not have arrived.
		this.followers.removeIf((earlier) -> earlier.follower() == follower);
		this.followers.add(link);
		follower.follow(link);
		return link;
	}

	void left(PeerLink link) {
		this.followers.remove(link);
	}

	/**
	 * Commit what a majority has logged.
	 */
	void acknowledged() {
		if (this.ended) {
			return;
		}
		int logged = majority();
		if (!this.established) {
			if (logged >= this.server.log().size()) {
				establish();
			}
			return;
		}
		commit(logged);
	}

	void commit(int logged) {
		while (this.committed < logged && !this.ended) {
			Request next = this.server.log().get(this.committed++);
			for (PeerLink link : this.followers) {
				link.commit(this.committed);
			}
			this.server.applyNext();
			List<Runnable> waiting = this.syncs.remove(next.zxid);
			if (waiting != null) {
				waiting.forEach(Runnable::run);
			}
		}
	}

	// How much of the log a majority has.
	private int majority() {
		long[] acked = new long[this.settings.servers()];
		Arrays.fill(acked, -1);
		acked[0] = Long.MAX_VALUE;
		for (int i = 0; i < this.followers.size(); i++) {
			acked[i + 1] = this.followers.get(i).acked();
		}
		Arrays.sort(acked);
		long zxid = acked[(acked.length - 1) / 2];
		if (zxid == -1) {
			return this.established ? this.committed : -1;
		}
		List<Request> log = this.server.log();
		int logged = this.committed;
		while (logged < log.size() && log.get(logged).zxid <= zxid) {
			logged++;
		}
		return logged;
	}

	void establish() {
		this.established = true;
		while (this.committed < this.server.log().size()) {
			this.committed++;
			this.server.applyNext();
		}
		this.server.serve(Role.LEADING, this.ensemble.leaderSessions(this.server));
		for (PeerLink link : this.followers) {
			link.upToDate(this.committed);
		}
		expire();
		reapRepeatedly();
	}

	// Requests

	/**
	 * Propose a prepared transaction.
	 */
	void propose(Request prepared) {
		if (this.ended) {
			return;
		}
		this.ensemble.traffic().transaction();
		Request transaction = ServerCode.transaction(prepared);
		this.server.log().add(transaction);
		for (PeerLink link : this.followers) {
			link.propose(transaction);
		}
		if (this.settings.servers() == 1) {
			commit(this.server.log().size());
		}
	}

	/**
	 * Answer a {@code sync} after what is proposed already.
	 */
	void sync(PeerLink link, Request request) {
		if (this.committed == this.server.log().size()) {
			link.synced(request);
		}
		else {
			this.syncs.computeIfAbsent(this.server.lastLogged(), (zxid) -> new ArrayList<>())
				.add(() -> link.synced(request));
		}
	}

	/**
	 * Process a request of the leader itself.
	 */
	void process(Request request) {
		this.server.code().prepare(request);
		propose(request);
	}

	void closeSession(long session) {
		process(ServerCode.request(session, 0, OpCode.closeSession, null, List.of()));
	}

	// Time

	private void after(long millis, String what, Runnable action) {
		this.server.lane().after(TimeUnit.MILLISECONDS.toNanos(millis), what, () -> {
			if (!this.ended) {
				action.run();
			}
		});
	}

	/**
	 * Look who is still there, and let them know that the leader is.
	 */
	void tick() {
		long now = this.ensemble.millis();
		long patience = (long) this.settings.tickTime() * this.settings.syncLimit();
		for (PeerLink link : new ArrayList<>(this.followers)) {
			if (now - link.heardByLeader() > patience) {
				this.followers.remove(link);
				link.close(this.server);
			}
		}
		this.halfTick = !this.halfTick;
		if (this.halfTick && 2 * (this.followers.size() + 1) <= this.settings.servers()) {
			this.ensemble.giveUp(this.server);
			return;
		}
		this.followers.forEach(PeerLink::ping);
	}

	private void expire() {
		LeaderSessions sessions = (LeaderSessions) this.server.sessions();
		after(sessions.nextExpiry() - this.ensemble.millis(), "expire", () -> {
			sessions.expired().forEach(this::closeSession);
			expire();
		});
	}

	private void reapRepeatedly() {
		if (this.settings.reapMillis() > 0) {
			after(this.settings.reapMillis(), "reap", () -> {
				reap();
				reapRepeatedly();
			});
		}
	}

	/**
	 * Remove the containers that are empty now, one after the other.
	 */
	void reap() {
		DataTree tree = this.server.code().getZKDatabase().getDataTree();
		long pause = 0;
		for (String container : new TreeSet<>(tree.getContainers())) {
			DataNode node = tree.getNode(container);
			if (node.stat.getCversion() > 0 && node.getChildren().isEmpty()) {
				after(pause, "reap " + container, () -> process(ServerCode.request(0, 0, OpCode.deleteContainer,
						new DeleteContainerRequest(container), List.of())));
				pause += REAP_PAUSE_MILLIS;
			}
		}
	}

	void end() {
		this.ended = true;
		for (PeerLink link : this.followers) {
			link.close(this.server);
		}
	}

}
