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
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

import io.github.zklock.simulation.SimulatedServer.Role;
import org.apache.jute.Record;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.SimulatedZooKeeper;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.DeleteRequest;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.ServerCode;
import org.jspecify.annotations.Nullable;

/**
 * A ZooKeeper ensemble on a {@link Schedule}: no thread, no socket, no file. The
 * processors of the server and the code of the client are ZooKeeper's own; what is
 * between them is simulated. Servers are numbered from 1.
 */
public final class SimulatedEnsemble {

	private static final List<Id> OPERATOR = List.of(new Id("super", ""));

	private final Schedule schedule;

	private final EnsembleSettings settings;

	private final List<SimulatedServer> servers = new ArrayList<>();

	private final PeerLanes peerLanes;

	private final Elections elections;

	private final Traffic traffic = new Traffic();

	private @Nullable RequestFault fault;

	private int connections;

	/**
	 * Make an ensemble that has a leader and serves clients at once.
	 */
	public SimulatedEnsemble(Schedule schedule, EnsembleSettings settings) {
		this.schedule = schedule;
		this.settings = settings;
		int count = settings.servers();
		for (int id = 1; id <= count; id++) {
			this.servers.add(new SimulatedServer(id, this));
		}
		this.peerLanes = new PeerLanes(schedule, this.servers);
		this.elections = new Elections(this, this.servers);
		this.elections.begin();
		this.servers.forEach(this::patrol);
	}

	// Clients

	/**
	 * Make a client that may connect to each of the servers. It has two lanes,
	 * {@code name-send} and {@code name-event}; requests may be made from any lane.
	 */
	public SimulatedZooKeeper connect(String name, int sessionTimeout, Watcher watcher) {
		List<Integer> all = this.servers.stream().map(SimulatedServer::id).toList();
		return connect(name, sessionTimeout, watcher, false, all);
	}

	/**
	 * Make a client that knows these servers only. It tries them in a random order.
	 * @param readOnly whether it accepts a read-only server
	 */
	public SimulatedZooKeeper connect(String name, int sessionTimeout, Watcher watcher, boolean readOnly,
			List<Integer> known) {
		List<SimulatedServer> left = new ArrayList<>(known.stream().map(this::server).toList());
		List<SimulatedServer> shuffled = new ArrayList<>();
		while (!left.isEmpty()) {
			shuffled.add(left.remove(this.schedule.random().nextInt(left.size())));
		}
		Cable cable = new Cable(this, this.schedule, name, shuffled, this.settings.networkNanos());
		return SimulatedZooKeeper.on(cable, sessionTimeout, watcher, readOnly);
	}

	// Faults

	/**
	 * Stop a server. It keeps what it has logged.
	 */
	public void crash(int server) {
		server(server).stop(Role.DOWN);
		this.elections.look();
	}

	/**
	 * Start a server that has crashed.
	 */
	public void restart(int server) {
		if (!isUp(server)) {
			server(server).stop(Role.LOOKING);
			this.elections.look();
		}
	}

	public boolean isUp(int server) {
		return server(server).isUp();
	}

	/**
	 * Cut a server from the other servers, silently. Its clients still reach it.
	 */
	public void isolate(int server) {
		server(server).isolated(true);
		this.peerLanes.pause();
	}

	/**
	 * Undo {@link #isolate(int)}.
	 */
	public void heal(int server) {
		server(server).isolated(false);
		this.peerLanes.pause();
		this.elections.look();
	}

	/**
	 * Let a follower apply late what is committed; others do not.
	 * @return lets it apply all
	 */
	public Runnable late(int server) {
		PeerLink leader = server(server).leader();
		return (leader != null) ? leader.late() : () -> {
		};
	}

	/**
	 * Refuse connections of clients, or accept them again.
	 */
	public void refuse(int server, boolean refused) {
		server(server).refuse(refused);
	}

	/**
	 * Let the leader give up, so that the servers elect one.
	 */
	public void elect() {
		Leadership leadership = this.elections.leadership();
		if (leadership != null) {
			giveUp(leadership.server());
		}
	}

	/**
	 * Return the server that leads a quorum, or 0.
	 */
	public int leader() {
		Leadership leadership = this.elections.leadership();
		return (leadership != null) ? leadership.server().id() : 0;
	}

	/**
	 * Answer requests with errors; {@code null} for no longer.
	 */
	public void fail(@Nullable RequestFault refusals) {
		this.fault = refusals;
	}

	// By hand

	/**
	 * End a session, as the leader does when it has expired.
	 */
	public void expire(long session) {
		Leadership leadership = this.elections.leadership();
		if (leadership != null) {
			leadership.closeSession(session);
		}
	}

	/**
	 * Create a node, as an operator does by hand. It is committed later, if there is a
	 * leader.
	 */
	public void create(String path, byte[] data, CreateMode mode) {
		int type = mode.isContainer() ? OpCode.createContainer : OpCode.create2;
		byHand(type, new CreateRequest(path, data, Ids.OPEN_ACL_UNSAFE, mode.toFlag()));
	}

	/**
	 * Delete a node that has no children, as an operator does by hand.
	 */
	public void delete(String path) {
		byHand(OpCode.delete, new DeleteRequest(path, -1));
	}

	private void byHand(int type, Record record) {
		Leadership leadership = this.elections.leadership();
		if (leadership != null) {
			leadership.process(ServerCode.request(LeaderSessions.OPERATOR, 0, type, record, OPERATOR));
		}
	}

	/**
	 * Remove the empty containers now. It also happens by itself, see
	 * {@link EnsembleSettings#reapMillis()}.
	 */
	public void reap() {
		Leadership leadership = this.elections.leadership();
		if (leadership != null) {
			leadership.reap();
		}
	}

	// The judge

	/**
	 * Return the last committed transaction.
	 */
	public long zxid() {
		return foremost().code().getLastProcessedZxid();
	}

	/**
	 * Return a node of the committed tree.
	 */
	public @Nullable NodeView node(String path) {
		return TreeView.node(tree(), path);
	}

	/**
	 * Return the committed tree by path, without the server's own {@code /zookeeper}.
	 */
	public SortedMap<String, NodeView> nodes() {
		return TreeView.nodes(tree());
	}

	/**
	 * Return how many watches all servers hold.
	 */
	public int watches() {
		return this.servers.stream().mapToInt(SimulatedServer::watches).sum();
	}

	/**
	 * Return the sessions that have not ended in the committed tree.
	 */
	public SortedSet<Long> sessions() {
		return new TreeSet<>(foremost().code().getZKDatabase().getSessionWithTimeOuts().keySet());
	}

	private DataTree tree() {
		return foremost().code().getZKDatabase().getDataTree();
	}

	private SimulatedServer foremost() {
		SimulatedServer foremost = this.servers.get(0);
		for (SimulatedServer server : this.servers) {
			if (server.applied() > foremost.applied()) {
				foremost = server;
			}
		}
		return foremost;
	}

	/**
	 * Return what clients and servers have sent.
	 */
	public Traffic traffic() {
		return this.traffic;
	}

	/**
	 * Let the servers forget what they have applied, to save memory.
	 */
	public void forgetLogs() {
		this.servers.forEach(SimulatedServer::forgetLog);
	}

	// For the parts

	private SimulatedServer server(int id) {
		return this.servers.get(id - 1);
	}

	Schedule schedule() {
		return this.schedule;
	}

	EnsembleSettings settings() {
		return this.settings;
	}

	long millis() {
		return TimeUnit.NANOSECONDS.toMillis(this.schedule.now());
	}

	long lag() {
		return this.schedule.upTo(this.settings.lagNanos());
	}

	Lane peerLane(SimulatedServer from, SimulatedServer to) {
		return this.peerLanes.of(from, to);
	}

	PeerLanes peerLanes() {
		return this.peerLanes;
	}

	int nextConnection() {
		return ++this.connections;
	}

	KeeperException.@Nullable Code refusal(String client, int type, @Nullable Record record) {
		if (this.fault == null || type == OpCode.ping || type == OpCode.closeSession || type == OpCode.auth) {
			return null;
		}
		return this.fault.on(client, type, RequestPaths.of(record));
	}

	LeaderSessions leaderSessions(SimulatedServer server) {
		return new LeaderSessions(this::millis, this.settings.tickTime(), firstSession(server),
				server.code().getZKDatabase().getSessionWithTimeOuts());
	}

	FollowerSessions followerSessions(SimulatedServer server) {
		return new FollowerSessions(firstSession(server), server.code().getZKDatabase().getSessionWithTimeOuts());
	}

	// As SessionTrackerImpl begins to count.
	private long firstSession(SimulatedServer server) {
		return ((millis() << 24) >>> 8) | ((long) server.id() << 56);
	}

	private void patrol(SimulatedServer server) {
		server.lane().after(TimeUnit.MILLISECONDS.toNanos(this.settings.tickTime() / 2), "tick", () -> {
			if (server.isUp()) {
				tick(server);
			}
			patrol(server);
		});
	}

	private void tick(SimulatedServer server) {
		server.closeSilent();
		Leadership leadership = server.leadership();
		PeerLink leader = server.leader();
		if (leadership != null) {
			leadership.tick();
		}
		else if (leader != null
				&& millis() - leader.heardByFollower() > (long) this.settings.tickTime() * this.settings.syncLimit()) {
			giveUp(server);
		}
	}

	/**
	 * Let a server look for a leader.
	 */
	void giveUp(SimulatedServer server) {
		server.stop(Role.LOOKING);
		this.elections.look();
	}

	void lostLeader(SimulatedServer follower, PeerLink link) {
		if (follower.leader() == link) {
			giveUp(follower);
		}
	}

}
