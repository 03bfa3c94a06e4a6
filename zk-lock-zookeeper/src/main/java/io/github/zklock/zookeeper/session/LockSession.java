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

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockState;
import io.github.zklock.zookeeper.node.LockPaths;
import io.github.zklock.zookeeper.node.OwnerData;
import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.request.NodeWatches;
import io.github.zklock.zookeeper.request.Replies;
import io.github.zklock.zookeeper.request.RequestCombiner;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import io.github.zklock.zookeeper.tasks.Generation;
import io.github.zklock.zookeeper.tasks.StateMachine;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.ZooKeeper.States;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * One session of one ZooKeeper handle. A contender stays in the session in which it
 * created its node. A client that has another session must never grant a lock on a node
 * of the old one (CURATOR-604).
 */
public final class LockSession {

	private final ZooKeeper zooKeeper;

	private final long id;

	private final SessionLease lease;

	private final EngineTasks tasks;

	private final Generation generation;

	private final LockPaths paths;

	private final ServerClock clock;

	private final Replies replies;

	private final NodeWatches watches;

	private final RequestCombiner requests;

	private final OwnerReads owners = new OwnerReads(this);

	private final Set<Member> members = ConcurrentHashMap.newKeySet();

	private final AtomicReference<@Nullable LeaseHeartbeat> heartbeat = new AtomicReference<>();

	// Needed because the handle reports a lost connection late.
	private final StateMachine<Connectivity> connectivity = new StateMachine<>(Connectivity.CONNECTED,
			Connectivity::leadsTo);

	/**
	 * Create a session.
	 * @param paths contain the path of its heartbeats
	 */
	public LockSession(ZooKeeper zooKeeper, SessionLease.Terms terms, EngineTasks tasks, LockPaths paths) {
		this(zooKeeper, new SessionLease(terms, tasks::nanoTime, zooKeeper::getSessionTimeout), tasks, paths);
	}

	private LockSession(ZooKeeper zooKeeper, SessionLease lease, EngineTasks tasks, LockPaths paths) {
		this.zooKeeper = zooKeeper;
		this.id = zooKeeper.getSessionId();
		this.tasks = tasks;
		this.generation = tasks.generation();
		this.paths = paths;
		this.clock = new ServerClock(tasks::nanoTime);
		this.watches = new NodeWatches(zooKeeper);
		this.lease = lease;
		this.requests = new RequestCombiner(zooKeeper, tasks);
		this.replies = this.requests.replies();
	}

	/** Return the same session for another generation, with what its lease has proved. */
	LockSession renewed() {
		return new LockSession(this.zooKeeper, this.lease, this.tasks, this.paths);
	}

	public Generation generation() {
		return this.generation;
	}

	/** Return whether a step has failed, so that it is not used any more. */
	public boolean isBroken() {
		return this.generation.isBroken();
	}

	public ZooKeeper zooKeeper() {
		return this.zooKeeper;
	}

	public long id() {
		return this.id;
	}

	public long nanoTime() {
		return this.tasks.nanoTime();
	}

	public ServerClock clock() {
		return this.clock;
	}

	public Replies replies() {
		return this.replies;
	}

	public NodeWatches watches() {
		return this.watches;
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

	public RequestCombiner requests() {
		return this.requests;
	}

	/** Send requests that are not combined, for a caller. */
	public <T> T send(Supplier<T> requests) {
		return this.tasks.onPlatformThread(requests);
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
	 * Return the state of the session from its connection, unless a step has failed.
	 */
	public LockState state() {
		return isBroken() ? LockState.LOST : connectionState();
	}

	/** Return whether the session itself has ended. */
	boolean hasEnded() {
		return connectionState() == LockState.LOST;
	}

	private LockState connectionState() {
		States connection = this.zooKeeper.getState();
		Connectivity reported = this.connectivity.get();
		if (reported == Connectivity.LOST || !connection.isAlive()) {
			return LockState.LOST;
		}
		if (reported == Connectivity.SUSPENDED || connection != States.CONNECTED) {
			return LockState.UNCERTAIN;
		}
		return (this.zooKeeper.getSessionId() == this.id) ? LockState.HELD : LockState.LOST;
	}

	/**
	 * Return the state of a lock in this session, from its connection and lease.
	 */
	public LockState stateOfLocks() {
		LockState connection = state();
		if (connection == LockState.LOST) {
			return connection;
		}
		LockState byClock = this.lease.state();
		return (byClock == LockState.HELD) ? connection : byClock;
	}

	boolean isConnected() {
		return this.zooKeeper.getState().isConnected();
	}

	/** Close the handle, which is not used any more. May block. */
	void close() {
		try {
			this.zooKeeper.close();
		}
		catch (InterruptedException ex) {
			// Only the end of the engine interrupts its threads.
			EngineTasks.log("A client that Curator has replaced could not be closed", ex);
		}
	}

	/**
	 * Report when the outcome of all that was sent in this session is decided. A write
	 * shows that, by its place in the order of all writes. Here it is the delete of a
	 * node that never exists. A {@code sync} does not show it: the leader answers its own
	 * clients at once, though other servers may not have logged its proposals yet.
	 * @param directory a directory
	 * @param contender the beginning of a node's name, which is no whole name
	 * @param decided takes the code {@code OK}, or the code of the failure
	 */
	public void afterEarlierWrites(String directory, String contender, IntConsumer decided) {
		this.zooKeeper.delete(directory + "/" + contender, -1, this.replies.done((rc, deleted, context) -> {
			if (ReplyCode.of(rc) == ReplyCode.REFUSED) {
				// Any server may do so by itself.
				check(directory, (answer) -> decided.accept(answeredByLeader(answer)));
			}
			else {
				decided.accept(answeredByLeader(rc));
			}
		}), null);
	}

	private static int answeredByLeader(int rc) {
		ReplyCode reply = ReplyCode.of(rc);
		return (reply == ReplyCode.NO_NODE || reply == ReplyCode.REFUSED) ? Code.OK.intValue() : rc;
	}

	/**
	 * Send a transaction that changes nothing. Only the leader answers or refuses it,
	 * after a majority has agreed.
	 * @param path the path of a node
	 * @param replied takes the code, on any thread
	 */
	void check(String path, IntConsumer replied) {
		this.zooKeeper.multi(List.of(Op.check(path, -1)), this.replies
			.multi((int rc, String checked, Object context, @Nullable List<OpResult> results) -> replied.accept(rc)),
				null);
	}

	/**
	 * Create a node of a fixed name.
	 * @param replied takes the code, on any thread
	 */
	public void create(String path, byte[] data, List<ACL> acl, CreateMode mode, IntConsumer replied) {
		this.zooKeeper.create(path, data, acl, mode, this.replies.created((int rc, String asked, Object context,
				@Nullable String created, @Nullable Stat stat) -> replied.accept(rc)), null);
	}

	/**
	 * Return the owner of a node as it was a second ago at most.
	 * @return the owner, or empty if the node cannot be read
	 */
	public CompletableFuture<Optional<LockHolder>> ownerOf(String path) {
		return this.owners.of(path);
	}

	/**
	 * Return the owner of a node that was read.
	 */
	public LockHolder owner(byte @Nullable [] data, Stat stat) {
		return OwnerData.read(data, this.clock.since(stat.getCtime()));
	}

	/**
	 * Add a member, which is notified when the session ends; at once if it has ended.
	 */
	public void addMember(Member member) {
		this.members.add(member);
		if (this.connectivity.is(Connectivity.LOST)) {
			member.lost();
		}
	}

	public void removeMember(Member member) {
		this.members.remove(member);
	}

	void suspend() {
		this.connectivity.toIfPossible(Connectivity.SUSPENDED);
		this.lease.interrupted();
	}

	void resume() {
		this.connectivity.toIfPossible(Connectivity.CONNECTED);
	}

	/**
	 * Delete an unused heartbeat node, and repeat unanswered removals of watches.
	 * @param now a reading of the clock
	 */
	public void tidy(long now) {
		heartbeat().tidy(now);
		this.watches.repeat();
	}

	/**
	 * Delete the heartbeat node. Called at shutdown.
	 */
	public void deleteHeartbeatNode() {
		heartbeat().deleteNode();
	}

	/** Notify all members of the end. After a failed step the session itself may live. */
	public void lose() {
		if (!isBroken()) {
			this.connectivity.to(Connectivity.LOST);
		}
		for (Member member : this.members) {
			this.tasks.run(member::lost);
		}
		this.members.clear();
		if (isBroken()) {
			this.requests.sendWhatMayGo();
		}
	}

	/**
	 * The state of the session as Curator and the tracker report it.
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
		 * Called when this is lost: its session, its lease or its node has ended, or a
		 * step has failed. The session may still live, so a node has to be deleted.
		 */
		void lost();

	}

}
