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

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.github.zklock.zookeeper.node.LockPaths;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the current session of the client. Asks Curator for its handle only while it is
 * connected, because that may block for long otherwise.
 */
public final class SessionTracker implements Connection.Listener {

	private static final Logger logger = LoggerFactory.getLogger(SessionTracker.class);

	// The holders of the locks are notified first.
	private static final long TIME_TO_TELL = TimeUnit.SECONDS.toNanos(1);

	private final Client client;

	private final Connection connection;

	private final ReentrantLock adoption = new ReentrantLock();

	// In their order, so that the first action to wait runs first.
	private final Set<Runnable> waiting = Collections.synchronizedSet(new LinkedHashSet<>());

	private final Set<Runnable> onSession = new CopyOnWriteArraySet<>();

	private final AtomicReference<@Nullable LockSession> current = new AtomicReference<>();

	private final AtomicReference<@Nullable Lost> lost = new AtomicReference<>();

	private final AuthenticationFailures authentication;

	private final EngineTasks tasks;

	private final LockPaths paths;

	private final long created;

	private volatile SessionLease.@Nullable Terms refused;

	private volatile boolean reached;

	// When there was the first connection, once it is reached.
	private volatile long reachedAt;

	/**
	 * Create a tracker.
	 * @param paths contain the path of the heartbeats of its sessions
	 */
	public SessionTracker(Client client, EngineTasks tasks, LockPaths paths) {
		this.client = client;
		this.connection = client.connection();
		this.tasks = tasks;
		this.paths = paths;
		this.created = tasks.nanoTime();
		this.authentication = new AuthenticationFailures(client.label(), tasks);
	}

	public void start() {
		this.connection.listen(this);
		// The refusal may have come before the listener, and it comes once.
		if (!this.connection.isConnected() && this.connection.isRefused(false)) {
			this.authentication.refused();
		}
		refresh();
	}

	public void stop() {
		this.connection.unlisten(this);
		this.waiting.clear();
		this.onSession.clear();
	}

	/**
	 * Return the name of the client for messages, or an empty text.
	 */
	public String label() {
		return this.client.label();
	}

	public @Nullable LockSession current() {
		return this.current.get();
	}

	/**
	 * Return the session if a request can be sent in it now.
	 */
	public @Nullable LockSession usable() {
		LockSession session = this.current.get();
		return (session != null && session.isUsable()) ? session : null;
	}

	/**
	 * Return why there is no usable session, as the end of a sentence, if that is known.
	 */
	public @Nullable String problem() {
		LockSession session = this.current.get();
		if (this.authentication.isRefused(session)) {
			return AuthenticationFailures.PROBLEM;
		}
		return (session != null && session.isUsable()) ? null : this.client.problem().get();
	}

	/**
	 * Return whether the first connection may still come. It has the client's connection
	 * timeout, unless a problem is known before.
	 */
	public boolean isOpening() {
		return !this.reached && openingUntil() - this.tasks.nanoTime() > 0 && problem() == null;
	}

	/**
	 * Return for how long after a time the first connection was missing, or may still be
	 * missing, in nanoseconds.
	 * @param time a reading of the clock of the engine
	 */
	public long openingAfter(long time) {
		if (!this.reached && !isOpening()) {
			return 0;
		}
		return Math.max((this.reached ? this.reachedAt : openingUntil()) - time, 0);
	}

	private long openingUntil() {
		return this.created + TimeUnit.MILLISECONDS.toNanos(this.connection.timeoutMillis());
	}

	/**
	 * Run the action, once, when there is a usable session; at once if there is one. The
	 * action must be quick.
	 */
	public void whenUsable(Runnable action) {
		this.waiting.add(action);
		if (usable() != null && this.waiting.remove(action)) {
			action.run();
		}
	}

	public void forget(Runnable action) {
		this.waiting.remove(action);
	}

	/**
	 * Run the action, once, when the servers have answered a request. The action must be
	 * quick.
	 * @return what ends this
	 */
	public Runnable whenAnswered(Runnable action) {
		return this.authentication.whenAnswered(action);
	}

	/**
	 * Run an action for each new session, and for the present one. The action may belong
	 * to the application.
	 * @return what ends this
	 */
	public Runnable onSession(Runnable action) {
		this.onSession.add(action);
		if (this.current.get() != null) {
			this.tasks.callBack(action);
		}
		return () -> this.onSession.remove(action);
	}

	@Override
	public void changed(Connection.Change change) {
		this.tasks.run(() -> apply(change));
	}

	private void apply(Connection.Change change) {
		switch (change) {
			// Curator's flag may stay wrong if the end of the old session came late.
			case CONNECTED -> {
				adopt();
				refresh();
			}
			case SUSPENDED -> suspendCurrent();
			case LOST -> loseCurrent();
			case READ_ONLY -> logger.debug("The server that answers is read-only, so no lock can be taken");
			case REFUSED -> this.tasks.onStepThread(this::authenticationRefused);
		}
	}

	// A login that fails at the client is reported in the same way, but the client goes
	// on without it.
	private void authenticationRefused() {
		if (this.connection.isRefused(true)) {
			this.authentication.refused();
		}
		refresh();
	}

	/**
	 * Check the client's handle, and run the actions that wait for a usable session. May
	 * block while the client is not connected.
	 */
	public void refresh() {
		if (isClosed()) {
			loseCurrent();
		}
		else if (this.connection.isConnected()) {
			adopt();
		}
		else {
			recoverFromRefusal();
		}
		LockSession session = usable();
		if (session != null) {
			this.authentication.ask(session);
			session.heartbeat().resumed();
			for (Runnable action : List.copyOf(this.waiting)) {
				if (this.waiting.remove(action)) {
					this.tasks.run(action);
				}
			}
		}
	}

	/**
	 * Lose the session of a generation in which a step has failed, and take the same one
	 * for the next generation once it is connected.
	 */
	public void renew() {
		LockSession session = this.current.get();
		if (session != null && session.isBroken()) {
			session.watches().removeAll();
			session.lose();
		}
		refresh();
	}

	/**
	 * Close the handle of the last session that was lost, if it is connected again.
	 * Curator has ended the session while the answer to a connect request was under way.
	 */
	public void endRevived() {
		Lost before = this.lost.get();
		LockSession present = usable();
		if (before == null || present == null) {
			return;
		}
		LockSession session = before.session();
		long since = this.tasks.nanoTime() - before.at();
		// One handle may have several sessions, at read-only servers.
		if (since > TIME_TO_TELL && session.isConnected() && session.zooKeeper() != present.zooKeeper()) {
			this.lost.compareAndSet(before, null);
			this.tasks.onStepThread(session::close);
		}
		else if (since > TimeUnit.MILLISECONDS.toNanos(2L * session.lease().terms().timeoutMillis())) {
			this.lost.compareAndSet(before, null);
		}
	}

	public boolean isClosed() {
		return this.connection.isStopped();
	}

	// One thread at a time, or an old handle could be adopted after a newer one.
	private void adopt() {
		LockSession previous;
		this.adoption.lock();
		try {
			ZooKeeper handle = this.connection.handle();
			previous = this.current.get();
			// A handle that is still connecting has no terms yet: its id comes last.
			if (handle == null || handle.getSessionId() == 0 || this.tasks.generation().isBroken()) {
				return;
			}
			SessionLease.Terms terms = SessionLease.Terms.of(Duration.ofMillis(handle.getSessionTimeout()),
					this.client.serverTick());
			check(terms);
			LockSession same = (previous != null && previous.isOf(handle)) ? previous : null;
			if (same != null && !same.isBroken()) {
				same.resume();
				return;
			}
			LockSession session = (same != null) ? same.renewed()
					: new LockSession(handle, terms, this.tasks, this.paths);
			session.heartbeat().start();
			this.current.set(session);
			if (!this.reached) {
				this.reachedAt = this.tasks.nanoTime();
				this.reached = true;
			}
		}
		finally {
			this.adoption.unlock();
		}
		if (previous != null) {
			lose(previous);
		}
		this.onSession.forEach(this.tasks::callBack);
	}

	private void recoverFromRefusal() {
		LockSession session = this.current.get();
		if (session != null && this.authentication.haveEnded(session)) {
			loseCurrent();
		}
		this.authentication.retry(this.connection);
	}

	private void check(SessionLease.Terms terms) {
		if (!terms.leaveALease() && !terms.equals(this.refused)) {
			this.refused = terms;
			logger
				.warn("The session timeout that ZooKeeper has granted{}, {} ms, is too short for a lease with a server "
						+ "tick of {} ms: the loss of a lock is reported when the connection reports it, which may be "
						+ "after another client has the lock. Use a session timeout of at least {} ms "
						+ "(zk-lock.session-timeout), or set zk-lock.lease.server-tick if "
						+ "the tickTime of the servers is less", this.client.label(), terms.timeoutMillis(),
						this.client.serverTick().toMillis(), terms.leastTimeoutMillis());
		}
	}

	private void suspendCurrent() {
		LockSession session = this.current.get();
		if (session != null) {
			session.suspend();
		}
	}

	// A late event of an old session must not end the new one, which has a live handle.
	// This holds even when another late event has suspended it.
	private void loseCurrent() {
		LockSession session = this.current.get();
		if (session != null && session.hasEnded() && this.current.compareAndSet(session, null)) {
			lose(session);
		}
	}

	private void lose(LockSession session) {
		this.lost.set(new Lost(session, this.tasks.nanoTime()));
		session.lose();
	}

	/**
	 * A session that was lost, and when.
	 */
	private record Lost(LockSession session, long at) {

	}

	/**
	 * A client of ZooKeeper.
	 *
	 * @param connection its connection
	 * @param label its name for messages, or an empty text
	 * @param serverTick the tick of its servers
	 * @param problem returns why it has no connection, as the end of a sentence
	 */
	public record Client(Connection connection, String label, Duration serverTick, Supplier<@Nullable String> problem) {

	}

}
