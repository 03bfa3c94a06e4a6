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

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;

import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.ConnectionCode;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ServerCode;

/**
 * The connection of a follower to its leader: two directions, each in order.
 */
final class PeerLink {

	private final SimulatedEnsemble ensemble;

	private final SimulatedServer leader;

	private final SimulatedServer follower;

	private final Leadership leadership;

	private long lastDown;

	private long lastUp;

	private long acked = -1;

	private long heardByLeader;

	private long heardByFollower;

	private final Deque<Runnable> later = new ArrayDeque<>();

	private boolean late;

	private boolean leaderOpen = true;

	private boolean followerOpen = true;

	PeerLink(SimulatedEnsemble ensemble, Leadership leadership, SimulatedServer leader, SimulatedServer follower) {
		this.ensemble = ensemble;
		this.leadership = leadership;
		this.leader = leader;
		this.follower = follower;
		this.heardByLeader = ensemble.millis();
		this.heardByFollower = ensemble.millis();
	}

	SimulatedServer follower() {
		return this.follower;
	}

	long acked() {
		return this.acked;
	}

	boolean isOpen() {
		return this.leaderOpen;
	}

	long heardByLeader() {
		return this.heardByLeader;
	}

	long heardByFollower() {
		return this.heardByFollower;
	}

	// To the follower

	private void down(String what, Runnable action) {
		if (!this.leaderOpen) {
			return;
		}
		long now = this.ensemble.schedule().now();
		this.lastDown = Math.max(this.lastDown, now + this.ensemble.lag());
		this.ensemble.peerLane(this.leader, this.follower).after(this.lastDown - now, what, () -> {
			if (this.followerOpen) {
				this.heardByFollower = this.ensemble.millis();
				action.run();
			}
		});
	}

	/**
	 * Send the history of the leader, as it is now.
	 */
	void synchronize() {
		int size = this.leader.log().size();
		down("history", () -> {
			this.follower.synchronize(this.leader.log().subList(0, size));
			acknowledge();
		});
	}

	/**
	 * Let the follower serve.
	 */
	void upToDate(int committed) {
		down("up to date", () -> {
			applyUntil(committed);
			this.follower.serve(SimulatedServer.Role.FOLLOWING, this.ensemble.followerSessions(this.follower));
		});
	}

	/**
	 * Begin as if that had happened: nothing is logged yet.
	 */
	void begin() {
		this.acked = 0;
		this.follower.serve(SimulatedServer.Role.FOLLOWING, this.ensemble.followerSessions(this.follower));
	}

	void propose(Request transaction) {
		down("propose", () -> {
			this.follower.log().add(transaction);
			acknowledge();
		});
	}

	void commit(int committed) {
		down("commit", () -> apply(() -> applyUntil(committed)));
	}

	// What is committed, and what comes after it, in order.
	private void apply(Runnable step) {
		if (this.late) {
			this.later.add(step);
		}
		else {
			step.run();
		}
	}

	/**
	 * Let the follower apply nothing for a while: it serves what it has. Sessions are
	 * validated beside that, as in a real one.
	 * @return lets it apply all
	 */
	Runnable late() {
		this.late = true;
		return () -> {
			this.late = false;
			while (this.followerOpen && !this.later.isEmpty()) {
				this.later.remove().run();
			}
		};
	}

	private void applyUntil(int committed) {
		while (this.follower.applied() < committed) {
			this.follower.applyNext();
		}
	}

	void synced(Request request) {
		down("synced", () -> apply(() -> this.follower.answers().synced(request)));
	}

	void ping() {
		down("ping", () -> {
			if (this.follower.sessions() instanceof FollowerSessions sessions) {
				SortedMap<Long, Integer> touched = sessions.touched();
				up("pong", () -> touched.forEach(this.leader.sessions()::touchSession));
			}
		});
	}

	// To the leader

	private void up(String what, Runnable action) {
		if (!this.followerOpen) {
			return;
		}
		long now = this.ensemble.schedule().now();
		this.lastUp = Math.max(this.lastUp, now + this.ensemble.lag());
		this.ensemble.peerLane(this.follower, this.leader).after(this.lastUp - now, what, () -> {
			if (this.leaderOpen) {
				this.heardByLeader = this.ensemble.millis();
				action.run();
			}
		});
	}

	private void acknowledge() {
		long logged = this.follower.lastLogged();
		up("ack", () -> {
			this.acked = logged;
			this.leadership.acknowledged();
		});
	}

	void request(Request own) {
		up("request", () -> {
			if (own.type == OpCode.sync) {
				this.leadership.sync(this, own);
				return;
			}
			Request forwarded = ServerCode.request(own.sessionId, own.cxid, own.type, ServerCode.content(own),
					(own.authInfo != null) ? own.authInfo : List.of());
			forwarded.setOwner(this);
			this.leader.code().prepare(forwarded);
			this.leadership.propose(forwarded);
		});
	}

	void revalidate(ConnectionCode connection, long session, int timeout) {
		up("revalidate", () -> {
			boolean valid = this.leader.sessions().touchSession(session, timeout);
			if (valid) {
				this.leader.own(session, this);
			}
			down("revalidated", () -> this.follower.code().finishSessionInit(connection, valid));
		});
	}

	/**
	 * Close one end; the other one hears of it, if it can.
	 */
	void close(SimulatedServer end) {
		if (end == this.leader && this.leaderOpen) {
			down("closed", () -> {
				this.followerOpen = false;
				this.ensemble.lostLeader(this.follower, this);
			});
			this.leaderOpen = false;
		}
		else if (end == this.follower && this.followerOpen) {
			up("closed", () -> {
				this.leaderOpen = false;
				this.leadership.left(this);
			});
			this.followerOpen = false;
		}
	}

}
