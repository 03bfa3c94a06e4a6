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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.jute.Record;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.RequestHeader;
import org.apache.zookeeper.server.ConnectionCode;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ServerCnxn.CloseRequestException;
import org.apache.zookeeper.server.ServerCnxn.DisconnectReason;
import org.apache.zookeeper.server.ServerCode;
import org.apache.zookeeper.server.SessionTracker;
import org.jspecify.annotations.Nullable;

/**
 * One server: ZooKeeper's own code, the log that it has on disk, its role and its
 * clients.
 */
final class SimulatedServer implements ServerCode.Hooks {

	private static final Request FORGOTTEN = new Request(null, 0, 0, 0, null, List.of());

	private final int id;

	private final SimulatedEnsemble ensemble;

	private final ServerCode code;

	private final Lane lane;

	/** What it has logged, committed or not, as it came from a leader. */
	private final ArrayList<Request> log = new ArrayList<>();

	private final TreeMap<Integer, Wire> wires = new TreeMap<>();

	private final AnswerOrder answers;

	private Role role = Role.LOOKING;

	private SessionTracker sessions;

	private int applied;

	private int forgotten;

	private boolean refusing;

	private boolean isolated;

	private @Nullable Leadership leadership;

	private @Nullable PeerLink leader;

	SimulatedServer(int id, SimulatedEnsemble ensemble) {
		this.id = id;
		this.ensemble = ensemble;
		this.lane = ensemble.schedule().lane("server-" + id);
		FollowerSessions none = new FollowerSessions(0, new ConcurrentHashMap<>());
		this.sessions = none;
		this.code = new ServerCode(id, none, ensemble::millis, this);
		this.answers = new AnswerOrder(this.code);
		EnsembleSettings settings = ensemble.settings();
		this.code.setMinSessionTimeout(settings.minSessionTimeout());
		this.code.setMaxSessionTimeout(settings.maxSessionTimeout());
	}

	int id() {
		return this.id;
	}

	ServerCode code() {
		return this.code;
	}

	Lane lane() {
		return this.lane;
	}

	ArrayList<Request> log() {
		return this.log;
	}

	long lastLogged() {
		return this.log.isEmpty() ? 0 : this.log.get(this.log.size() - 1).zxid;
	}

	int applied() {
		return this.applied;
	}

	Role role() {
		return this.role;
	}

	boolean isUp() {
		return this.role != Role.DOWN;
	}

	boolean isReadWrite() {
		return this.role == Role.LEADING || this.role == Role.FOLLOWING;
	}

	boolean isIsolated() {
		return this.isolated;
	}

	void isolated(boolean cut) {
		this.isolated = cut;
	}

	void refuse(boolean refuse) {
		this.refusing = refuse;
	}

	@Nullable Leadership leadership() {
		return this.leadership;
	}

	@Nullable PeerLink leader() {
		return this.leader;
	}

	// Roles

	void lead(Leadership own) {
		this.leadership = own;
		this.leader = null;
	}

	void follow(PeerLink link) {
		this.leader = link;
		this.leadership = null;
	}

	/**
	 * Serve clients from now on.
	 */
	void serve(Role as, SessionTracker tracker) {
		this.role = as;
		this.sessions = tracker;
		this.code.sessions(tracker);
		this.code.readOnly(as == Role.READ_ONLY);
	}

	/**
	 * Serve nobody.
	 */
	void stop(Role as) {
		Leadership led = this.leadership;
		this.leadership = null;
		if (led != null) {
			led.end();
		}
		PeerLink link = this.leader;
		this.leader = null;
		if (link != null) {
			link.close(this);
		}
		this.role = as;
		this.answers.clear();
		this.code.forgetPrepared();
		this.code.readOnly(false);
		for (Wire wire : new ArrayList<>(this.wires.values())) {
			wire.code().sendCloseSession();
		}
		this.wires.clear();
	}

	// Clients

	@Nullable ConnectionCode accept(Wire wire) {
		if (!isUp() || this.refusing || wire.cable().isRefused()) {
			return null;
		}
		int number = this.ensemble.nextConnection();
		ConnectionCode connection = new ConnectionCode(this.code, number, wire);
		this.wires.put(number, wire);
		return connection;
	}

	void receive(Wire wire, @Nullable RequestHeader header, @Nullable Record record) {
		ConnectionCode connection = wire.code();
		wire.heard(this.ensemble.millis());
		if (!isReadWrite() && this.role != Role.READ_ONLY) {
			connection.sendCloseSession();
			return;
		}
		if (header != null) {
			this.ensemble.traffic().request(header.getType(), record);
		}
		KeeperException.Code refusal = (header != null)
				? this.ensemble.refusal(wire.cable().client(), header.getType(), record) : null;
		if (header != null && refusal != null) {
			this.sessions.touchSession(connection.getSessionId(), connection.getSessionTimeout());
			Request request = new Request(connection, connection.getSessionId(), header.getXid(), header.getType(),
					null, List.of());
			request.setException(KeeperException.create(refusal));
			this.answers.refuse(request);
			return;
		}
		this.code.receive(connection, header, record);
	}

	void closed(Wire wire) {
		this.wires.values().remove(wire);
		wire.code().close();
	}

	/**
	 * Close connections that were silent for their time-out.
	 */
	void closeSilent() {
		long now = this.ensemble.millis();
		for (Wire wire : new ArrayList<>(this.wires.values())) {
			if (now - wire.lastHeard() > wire.code().getSessionTimeout()) {
				drop(wire);
			}
		}
	}

	private void drop(Wire wire) {
		this.wires.values().remove(wire);
		wire.code().sendCloseSession();
	}

	private void closeSession(long session, @Nullable ServerCnxn except) {
		for (Wire wire : new ArrayList<>(this.wires.values())) {
			if (wire.code().getSessionId() == session && wire.code() != except) {
				drop(wire);
			}
		}
	}

	int watches() {
		return this.code.getZKDatabase().getDataTree().getWatchCount();
	}

	@Override
	public void reconnects(ConnectionCode connection, long session) throws IOException {
		if (this.role == Role.READ_ONLY && this.sessions.isTrackingSession(session)) {
			throw new CloseRequestException("read-only", DisconnectReason.RENEW_GLOBAL_SESSION_IN_RO_MODE);
		}
		closeSession(session, connection);
	}

	@Override
	public void revalidate(ConnectionCode connection, long session, int timeout) {
		if (this.leader != null && this.role == Role.FOLLOWING) {
			this.leader.revalidate(connection, session, timeout);
			return;
		}
		boolean valid = this.sessions.touchSession(session, timeout);
		if (valid && this.role == Role.LEADING) {
			own(session, ServerCnxn.me);
		}
		this.code.finishSessionInit(connection, valid);
	}

	void own(long session, Object owner) {
		try {
			this.sessions.setOwner(session, owner);
		}
		catch (KeeperException.SessionExpiredException ex) {
			throw new IllegalStateException(ex);
		}
	}

	SessionTracker sessions() {
		return this.sessions;
	}

	// Requests

	@Override
	public void submitted(Request request) {
		switch (this.role) {
			case LEADING -> lead(request);
			case FOLLOWING -> forward(request);
			case READ_ONLY -> readOnly(request);
			default -> throw new IllegalStateException(this.role.name());
		}
	}

	private void lead(Request request) {
		this.code.prepare(request);
		boolean write = request.getHdr() != null;
		if (!write) {
			this.answers.read(request);
		}
		else if (this.leadership != null) {
			this.answers.write(request);
			this.leadership.propose(request);
		}
	}

	private void forward(Request request) {
		if (!isWrite(request.type)) {
			this.answers.read(request);
		}
		else if (this.leader != null) {
			this.answers.write(request);
			this.leader.request(request);
		}
	}

	// Its sessions are its own: there is nobody to tell.
	private void readOnly(Request request) {
		boolean session = request.type == OpCode.createSession || request.type == OpCode.closeSession;
		request.setLocalSession(session);
		if (!session && isWrite(request.type)) {
			request.setException(new KeeperException.NotReadOnlyException());
			this.answers.refuse(request);
		}
		else {
			this.answers.read(request);
		}
	}

	private static boolean isWrite(int type) {
		return switch (type) {
			case OpCode.create, OpCode.create2, OpCode.createTTL, OpCode.createContainer, OpCode.delete,
					OpCode.deleteContainer, OpCode.setData, OpCode.reconfig, OpCode.setACL, OpCode.multi, OpCode.check,
					OpCode.createSession, OpCode.closeSession, OpCode.sync ->
				true;
			default -> false;
		};
	}

	/**
	 * Apply the next transaction of the log.
	 */
	void applyNext() {
		Request next = this.log.get(this.applied++);
		ServerCnxn asked = this.answers.apply(next);
		if (next.type == OpCode.closeSession) {
			closeSession(next.sessionId, asked);
		}
	}

	AnswerOrder answers() {
		return this.answers;
	}

	/**
	 * Forget what a new leader does not have, and log what it has.
	 */
	void synchronize(List<Request> history) {
		int same = Math.min(this.log.size(), history.size());
		while (same > 0 && this.log.get(same - 1) != history.get(same - 1)) {
			same--;
		}
		if (same < this.applied) {
			throw new IllegalStateException("a committed transaction is lost");
		}
		this.log.subList(same, this.log.size()).clear();
		this.log.addAll(history.subList(same, history.size()));
	}

	/**
	 * Forget what was applied; only its place in the log stays.
	 */
	void forgetLog() {
		while (this.forgotten < this.applied - 1) {
			this.log.set(this.forgotten++, FORGOTTEN);
		}
	}

	enum Role {

		DOWN, LOOKING, READ_ONLY, FOLLOWING, LEADING

	}

}
