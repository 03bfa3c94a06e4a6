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

package io.github.zklock.zookeeper.session;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;

import io.github.zklock.core.LockState;
import io.github.zklock.zookeeper.node.LockPaths;
import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.request.RequestCombiner;
import io.github.zklock.zookeeper.request.WatchRemovals;
import io.github.zklock.zookeeper.tasks.MendedTasks;
import io.github.zklock.zookeeper.tasks.Mender;
import io.github.zklock.zookeeper.tasks.StateMachine;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.ZooKeeper.States;
import org.jspecify.annotations.Nullable;

/**
 * One session of one ZooKeeper handle, and what lives in it. Everything that a contender
 * does, it does in the session in which it created its node; a client that has moved on
 * to another session must never grant a lock on a node of the old one (CURATOR-604).
 */
public final class LockSession {

	/**
	 * After so many nanoseconds without use something is given back. ZooKeeper itself
	 * looks once a minute for directories that nobody uses.
	 */
	public static final long UNUSED = TimeUnit.MINUTES.toNanos(1);

	private final ZooKeeper zooKeeper;

	private final long id;

	private final SessionLease lease;

	private final MendedTasks tasks;

	private final LockPaths paths;

	private final ServerClock clock;

	private final WatchRemovals removals;

	private final RequestCombiner requests;

	private final Set<Member> members = ConcurrentHashMap.newKeySet();

	// How many wait for a node, and are told by a watch when it goes.
	private final Map<String, Integer> watching = new ConcurrentHashMap<>();

	private final AtomicReference<@Nullable LeaseHeartbeat> heartbeat = new AtomicReference<>();

	// The handle's own state says for a while that it is connected when it is not.
	private final StateMachine<Connectivity> connectivity = new StateMachine<>(Connectivity.CONNECTED,
			Connectivity::leadsTo);

	/**
	 * Create an instance.
	 * @param paths where its heartbeats are written
	 */
	public LockSession(ZooKeeper zooKeeper, LeaseTerms terms, MendedTasks tasks, LockPaths paths) {
		this.zooKeeper = zooKeeper;
		this.id = zooKeeper.getSessionId();
		this.tasks = tasks;
		this.paths = paths;
		this.clock = new ServerClock(tasks::nanoTime);
		this.removals = new WatchRemovals(zooKeeper);
		this.lease = new SessionLease(terms, tasks::nanoTime);
		this.requests = new RequestCombiner(zooKeeper, tasks.mender(), tasks::reply);
	}

	public ZooKeeper zooKeeper() {
		return this.zooKeeper;
	}

	public long id() {
		return this.id;
	}

	/**
	 * Return a reading of the clock of this process.
	 */
	public long nanoTime() {
		return this.tasks.nanoTime();
	}

	public ServerClock clock() {
		return this.clock;
	}

	public WatchRemovals removals() {
		return this.removals;
	}

	public SessionLease lease() {
		return this.lease;
	}

	public LeaseHeartbeat heartbeat() {
		LeaseHeartbeat existing = this.heartbeat.get();
		if (existing != null) {
			return existing;
		}
		LeaseHeartbeat created = new LeaseHeartbeat(this, this.tasks, this.paths);
		return this.heartbeat.compareAndSet(null, created) ? created : heartbeat();
	}

	/**
	 * Return what sends the requests that may go out together.
	 */
	public RequestCombiner requests() {
		return this.requests;
	}

	boolean isOf(ZooKeeper handle) {
		return this.zooKeeper == handle && this.id == handle.getSessionId();
	}

	/**
	 * Return whether a request sent now is sent in this session.
	 */
	public boolean isUsable() {
		return state() == LockState.HELD;
	}

	/**
	 * Return what the connection says of the session.
	 */
	public LockState state() {
		States connection = this.zooKeeper.getState();
		Connectivity told = this.connectivity.get();
		if (told == Connectivity.LOST || !connection.isAlive()) {
			return LockState.LOST;
		}
		if (told == Connectivity.SUSPENDED || connection != States.CONNECTED) {
			return LockState.UNCERTAIN;
		}
		return (this.zooKeeper.getSessionId() == this.id) ? LockState.HELD : LockState.LOST;
	}

	/**
	 * Return what is known of a lock that is held in this session.
	 */
	public LockState stateOfLocks() {
		LockState connection = state();
		if (connection == LockState.LOST) {
			return connection;
		}
		LockState byClock = this.lease.state();
		return (byClock == LockState.HELD) ? connection : byClock;
	}

	/**
	 * Wait until it is decided what all that was sent in this session has come to. A
	 * write tells, by its place in the order of all writes. A {@code sync} does not: the
	 * leader answers one of its own clients at once, though others may still have to log
	 * what it has proposed.
	 * @param directory a directory
	 * @param contender the beginning of the name of a node, which alone names none
	 * @param decided takes the code {@code OK}, or why that is not known
	 */
	public void settle(String directory, String contender, IntConsumer decided) {
		this.zooKeeper.delete(directory + "/" + contender, -1, (rc, deleted, context) -> {
			ReplyCode reply = ReplyCode.of(rc);
			boolean answered = reply == ReplyCode.NO_NODE || reply == ReplyCode.REFUSED;
			decided.accept(answered ? Code.OK.intValue() : rc);
		}, null);
	}

	/**
	 * Tell the member, once it has joined, when the session ends; at once if it has
	 * ended.
	 */
	public void join(Member member) {
		this.members.add(member);
		if (this.connectivity.is(Connectivity.LOST)) {
			member.sessionLost();
		}
	}

	public void leave(Member member) {
		this.members.remove(member);
	}

	/**
	 * Count one more who watches a node.
	 */
	public void watching(String path) {
		this.watching.merge(path, 1, Integer::sum);
	}

	/**
	 * Count one less.
	 * @return whether there is no other any more
	 */
	public boolean watchesNoLonger(String path) {
		return this.watching.computeIfPresent(path, (node, count) -> (count > 1) ? count - 1 : null) == null;
	}

	void suspend() {
		this.connectivity.toIfPossible(Connectivity.SUSPENDED);
		this.lease.interrupted();
	}

	public void resume(LeaseTerms terms) {
		this.lease.renegotiated(terms);
		this.connectivity.toIfPossible(Connectivity.CONNECTED);
	}

	/**
	 * The session is usable, perhaps after an interruption.
	 */
	void resumed() {
		LeaseHeartbeat existing = this.heartbeat.get();
		if (existing != null) {
			existing.resumed();
		}
	}

	/**
	 * Give back, at the server, what was not used for long.
	 * @param now a reading of the clock
	 */
	public void tidy(long now) {
		LeaseHeartbeat existing = this.heartbeat.get();
		if (existing != null) {
			existing.tidy(now);
		}
		this.removals.repeat();
	}

	/**
	 * Give back, at the server, all that is not a lock: this process ends.
	 */
	public void end() {
		LeaseHeartbeat existing = this.heartbeat.get();
		if (existing != null) {
			existing.end();
		}
	}

	public void lose() {
		this.connectivity.to(Connectivity.LOST);
		for (Member member : this.members) {
			try {
				member.sessionLost();
			}
			catch (Throwable ex) {
				Mender.log("A member of a session could not be told of its end", ex);
			}
		}
		this.members.clear();
	}

	/**
	 * What Curator and the tracker have told of the session.
	 */
	private enum Connectivity {

		/** It can be used. */
		CONNECTED,

		/** It cannot be used now. */
		SUSPENDED,

		/** It has ended. */
		LOST;

		boolean leadsTo(Connectivity next) {
			return this != LOST;
		}

	}

	/**
	 * Something that exists in ZooKeeper only as long as a session does.
	 */
	@FunctionalInterface
	public interface Member {

		/**
		 * The session has ended.
		 */
		void sessionLost();

	}

}
