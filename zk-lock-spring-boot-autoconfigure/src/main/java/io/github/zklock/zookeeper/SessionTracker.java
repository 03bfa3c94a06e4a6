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

package io.github.zklock.zookeeper;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import io.github.zklock.core.LockState;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows the session that the client has at this moment. Asks Curator for its handle only
 * when it is connected, because asking an unconnected client may block for long.
 */
final class SessionTracker implements Connection.Listener {

	private static final Logger logger = LoggerFactory.getLogger(SessionTracker.class);

	private final Connection connection;

	private final Duration tick;

	private final ReentrantLock adoption = new ReentrantLock();

	// In their order, so that who came first goes on first.
	private final Set<Runnable> waiting = Collections.synchronizedSet(new LinkedHashSet<>());

	private final AtomicReference<@Nullable LockSession> current = new AtomicReference<>();

	private final AuthenticationFailures authentication;

	private final String label;

	private final Supplier<@Nullable String> problem;

	private final Tasks tasks;

	private final BiFunction<ZooKeeper, LeaseTerms, LockSession> sessions;

	private final long created;

	private volatile @Nullable SessionPulse pulse;

	private volatile @Nullable LeaseTerms refused;

	private volatile boolean reached;

	/**
	 * Create a tracker.
	 * @param sessions makes the session of a handle of the client
	 */
	SessionTracker(ZooKeeperLockProviderBuilder settings, Tasks tasks,
			BiFunction<ZooKeeper, LeaseTerms, LockSession> sessions) {
		this.connection = settings.connection;
		this.tasks = tasks;
		this.sessions = sessions;
		this.created = tasks.nanoTime();
		this.tick = settings.serverTick;
		this.problem = settings.connectionProblem;
		this.label = settings.label();
		this.authentication = new AuthenticationFailures(this.label, tasks);
	}

	void start() {
		this.connection.listen(this);
		refresh();
	}

	void stop() {
		this.connection.unlisten(this);
		this.waiting.clear();
	}

	/**
	 * Return the name of the client, if it is to be told.
	 */
	String label() {
		return this.label;
	}

	@Nullable LockSession current() {
		return this.current.get();
	}

	/**
	 * Return the session if a request can be sent in it now.
	 */
	@Nullable LockSession usable() {
		LockSession session = this.current.get();
		return (session != null && session.isUsable()) ? session : null;
	}

	/**
	 * Return why there is no usable session, as the end of a sentence, if that is known.
	 */
	@Nullable String problem() {
		LockSession session = this.current.get();
		if (session != null && session.isUsable()) {
			return null;
		}
		return this.authentication.isRefused(session) ? AuthenticationFailures.PROBLEM : this.problem.get();
	}

	/**
	 * Return how the connection is. The first attempt to open one has the client's
	 * connection timeout, unless it is known before why there is none.
	 */
	ZooKeeperLockStatus.Connection connection() {
		if (isClosed()) {
			return ZooKeeperLockStatus.Connection.CLOSED;
		}
		if (usable() != null) {
			return ZooKeeperLockStatus.Connection.CONNECTED;
		}
		long timeout = TimeUnit.MILLISECONDS.toNanos(this.connection.timeoutMillis());
		boolean opening = !this.reached && this.tasks.nanoTime() - this.created < timeout && problem() == null;
		return opening ? ZooKeeperLockStatus.Connection.CONNECTING : ZooKeeperLockStatus.Connection.DISCONNECTED;
	}

	/**
	 * Run the action, once, when there is a usable session; at once if there is one. The
	 * action must be quick.
	 */
	void whenUsable(Runnable action) {
		this.waiting.add(action);
		if (usable() != null && this.waiting.remove(action)) {
			action.run();
		}
	}

	void forget(Runnable action) {
		this.waiting.remove(action);
	}

	@Override
	public void changed(Connection.Change change) {
		switch (change) {
			// Curator's flag may say otherwise for good, if the end of the old session
			// came late.
			case CONNECTED -> {
				adopt();
				refresh();
			}
			case SUSPENDED -> suspendCurrent();
			case LOST -> loseCurrent();
			case READ_ONLY -> logger.debug("The server that answers is read-only, so no lock can be taken");
		}
	}

	/**
	 * Look at the client's handle again, and wake those who wait for a usable session.
	 * May block while the client is not connected.
	 */
	void refresh() {
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
			SessionPulse existing = this.pulse;
			if (existing != null) {
				existing.goOn();
			}
			session.resumed();
			for (Runnable action : List.copyOf(this.waiting)) {
				if (this.waiting.remove(action)) {
					run(action);
				}
			}
		}
	}

	boolean isClosed() {
		return this.connection.isStopped();
	}

	// One at a time, or an old handle could be adopted after a newer one.
	private void adopt() {
		LockSession previous;
		this.adoption.lock();
		try {
			ZooKeeper handle = this.connection.handle();
			previous = this.current.get();
			if (handle == null) {
				return;
			}
			LeaseTerms terms = LeaseTerms.of(Duration.ofMillis(handle.getSessionTimeout()), this.tick);
			check(terms);
			if (previous != null && previous.isOf(handle)) {
				previous.resume(terms);
				return;
			}
			this.authentication.end();
			LockSession session = this.sessions.apply(handle, terms);
			this.pulse = new SessionPulse(this.tasks, session, () -> this.current.get() == session);
			this.current.set(session);
			this.reached = true;
		}
		finally {
			this.adoption.unlock();
		}
		if (previous != null) {
			previous.lose();
		}
	}

	private void recoverFromRefusal() {
		LockSession session = this.current.get();
		if (session != null && this.authentication.haveEnded(session)) {
			loseCurrent();
		}
		this.authentication.retry(this.connection);
	}

	private void check(LeaseTerms terms) {
		if (!terms.leaveALease() && !terms.equals(this.refused)) {
			this.refused = terms;
			logger
				.warn("The session timeout that ZooKeeper has granted{}, {} ms, is too short for a lease with a server "
						+ "tick of {} ms: the loss of a lock will be told when the connection tells of it, which may be "
						+ "after another client has the lock. Use a session timeout of at least {} ms "
						+ "(zk-lock.session-timeout), or say so if the tickTime of the servers is less "
						+ "(zk-lock.lease.server-tick)", this.label, terms.timeoutMillis(), this.tick.toMillis(),
						terms.leastTimeoutMillis());
		}
	}

	private void suspendCurrent() {
		LockSession session = this.current.get();
		if (session != null) {
			session.suspend();
		}
	}

	// A late event of an old session must not end the new one, whose handle lives, even
	// when another late event has suspended it.
	private void loseCurrent() {
		LockSession session = this.current.get();
		if (session != null && session.state() == LockState.LOST && this.current.compareAndSet(session, null)) {
			session.lose();
		}
	}

	// What has failed is tried again with the next look.
	private void run(Runnable action) {
		try {
			action.run();
		}
		catch (Throwable ex) {
			this.waiting.add(action);
			Mender.log("A request could not go on when the connection was back", ex);
		}
	}

}
