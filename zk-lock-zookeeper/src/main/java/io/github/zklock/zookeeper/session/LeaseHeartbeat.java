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

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.zklock.core.LockState;
import io.github.zklock.zookeeper.node.LockPaths;
import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.tasks.EngineTasks;

/**
 * Keeps the lease of a session while locks are held or nodes are cached in it. It writes
 * to one node for all of them, and ends the locks when the lease is over. As often, and
 * at all times, it has an exchange with the leader, which shows how much a write proves.
 */
public final class LeaseHeartbeat {

	// ZooKeeper too looks for unused directories once a minute.
	static final long UNUSED = TimeUnit.MINUTES.toNanos(1);

	private static final int LOOKS_PER_INTERVAL = 4;

	private static final int PROOFS_PER_HALF_TICK = 4;

	private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

	private final EngineTasks tasks;

	private final LockSession session;

	private final SessionLease lease;

	private final HeartbeatNode node;

	private final Set<LockNode.Holder> held = ConcurrentHashMap.newKeySet();

	private final Queue<Consumer<Boolean>> waiting = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean running = new AtomicBoolean();

	private final AtomicBoolean inFlight = new AtomicBoolean();

	private final AtomicBoolean proving = new AtomicBoolean();

	LeaseHeartbeat(LockSession session, EngineTasks tasks, LockPaths paths) {
		this.tasks = tasks;
		this.session = session;
		this.lease = session.lease();
		this.node = new HeartbeatNode(session, tasks, paths);
	}

	/**
	 * Begin the exchanges, so that already the first lock finds a lease.
	 */
	void start() {
		exchange();
	}

	private void exchange() {
		if (this.lease.isPossible() && this.session.state() != LockState.LOST) {
			if (this.session.isUsable()) {
				sync();
			}
			later(this::exchange, this.lease.terms().interval());
		}
	}

	// The leader answers it, without a transaction.
	private void sync() {
		long sent = this.lease.now();
		this.session.zooKeeper().sync("/", (rc, path, context) -> {
			if (ReplyCode.of(rc) == ReplyCode.OK) {
				this.lease.exchanged(sent);
			}
		}, null);
	}

	/**
	 * Send a heartbeat unless a lock can be granted with a node now, in a usable session.
	 * @param node the node, which is first in its queue
	 * @param otherwise takes, if not, whether the heartbeat has confirmed the session
	 * @return whether the lock can be granted now
	 */
	public boolean ensureConfirmed(LockNode node, Consumer<Boolean> otherwise) {
		this.lease.nodeCreated(this.lease.at(node.sentAt()));
		if (this.lease.isFresh()) {
			return true;
		}
		this.waiting.add(otherwise);
		if (!this.proving.get()) {
			beat();
		}
		return false;
	}

	/**
	 * Keep the lease while this lock is held. Called when a lock is granted or its node
	 * is cached.
	 */
	public void hold(LockNode.Holder holder) {
		this.held.add(holder);
		if (this.lease.isPossible() && this.running.compareAndSet(false, true)) {
			startBeats();
		}
	}

	private void startBeats() {
		this.lease.keep();
		// After a long wait, little is left of the lease from the node's creation.
		if (this.lease.remaining() < this.lease.terms().interval()) {
			beat();
		}
		planNextBeat();
	}

	/** Called when a lock has ended or its node is not cached any more. */
	public void drop(LockNode.Holder holder) {
		this.held.remove(holder);
	}

	/**
	 * Send what is due, a heartbeat or a {@code sync}. Called when the connection may be
	 * back.
	 */
	void resumed() {
		if (this.running.get() && !this.lease.isConfirmed()) {
			beat();
		}
		else if (!this.running.get() && this.lease.isPossible() && this.lease.isUnheard()) {
			sync();
		}
	}

	/** Delete the node if the session is usable. Called at shutdown. */
	void deleteNode() {
		this.node.deleteForGood();
	}

	/**
	 * Delete the node if it was not used for long; the next heartbeat creates it again.
	 * @param now a reading of the clock of the engine
	 */
	void tidy(long now) {
		if (this.held.isEmpty() && now - this.node.writtenAt() > UNUSED) {
			this.node.delete();
		}
	}

	private void beatIfDue() {
		if (this.session.isBroken()) {
			return;
		}
		if (this.held.isEmpty() || !this.lease.isPossible()) {
			this.lease.drop();
			this.running.set(false);
			this.held.stream().findAny().ifPresent(this::hold);
			return;
		}
		if (this.lease.isOver()) {
			this.held.forEach(LockNode.Holder::loseIfOver);
		}
		else if (this.lease.due() <= this.lease.now() || !this.lease.isConfirmed()) {
			beat();
		}
		planNextBeat();
	}

	private void planNextBeat() {
		long due = this.lease.due() - this.lease.now();
		long pause = this.lease.terms().interval() / LOOKS_PER_INTERVAL;
		later(this::beatIfDue, Math.min((due > 0) ? Math.min(due, pause) : pause, this.lease.remaining()));
	}

	private void later(Runnable step, long pause) {
		this.tasks.later(step, Math.max(pause, SHORTEST_PAUSE));
	}

	// One at a time, so that each is sent after the answer to the one before.
	private void beat() {
		if (!this.session.isUsable()) {
			resumeWaiting(false);
			return;
		}
		if (this.inFlight.compareAndSet(false, true)) {
			send();
		}
	}

	private void send() {
		if (!this.lease.isConfirmed()) {
			this.held.forEach(LockNode.Holder::verify);
		}
		long sent = this.lease.now();
		this.node.write((result) -> onReply(sent, result));
	}

	private void onReply(long sent, ReplyCode result) {
		boolean confirmed = result == ReplyCode.OK;
		if (confirmed) {
			this.lease.beaten(sent);
		}
		this.inFlight.set(false);
		if (!confirmed || !this.lease.isConfirmed() || this.lease.isFresh()) {
			resumeWaiting(confirmed);
		}
		else if (!this.waiting.isEmpty() && this.proving.compareAndSet(false, true)) {
			proveLater();
		}
		if (result == ReplyCode.SESSION_ENDED) {
			this.held.forEach(LockNode.Holder::lost);
		}
		else if (!this.lease.isUninterruptedSince(sent)) {
			resumed();
		}
	}

	// After a delay only heartbeats that are half a tick apart prove anything.
	private void proveLater() {
		later(() -> {
			this.proving.set(false);
			beat();
		}, this.lease.terms().halfTick() / PROOFS_PER_HALF_TICK);
	}

	// A consumer that asks again at once is answered after the next heartbeat.
	private void resumeWaiting(boolean confirmed) {
		for (int due = this.waiting.size(); due > 0; due--) {
			Consumer<Boolean> next = this.waiting.peek();
			if (next != null && this.waiting.remove(next)) {
				next.accept(confirmed);
			}
		}
	}

}
