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

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

import org.apache.zookeeper.KeeperException.SessionExpiredException;
import org.apache.zookeeper.KeeperException.SessionMovedException;
import org.apache.zookeeper.KeeperException.UnknownSessionException;
import org.apache.zookeeper.server.SessionTracker;
import org.jspecify.annotations.Nullable;

/**
 * The sessions as a leader counts them: a session ends in the first tick after its
 * time-out, and a request must come through the server that owns the session.
 */
final class LeaderSessions implements SessionTracker {

	/** The session of what is done by hand. It never ends. */
	static final long OPERATOR = 1;

	private final LongSupplier millis;

	private final int tickTime;

	private final ConcurrentMap<Long, Integer> committed;

	private final TreeMap<Long, Session> sessions = new TreeMap<>();

	private long nextId;

	private long nextExpiry;

	LeaderSessions(LongSupplier millis, int tickTime, long firstId, ConcurrentMap<Long, Integer> committed) {
		this.millis = millis;
		this.tickTime = tickTime;
		this.nextId = firstId;
		this.committed = committed;
		this.nextExpiry = round(millis.getAsLong());
		new TreeMap<>(committed).forEach(this::trackSession);
	}

	private long round(long time) {
		return (time / this.tickTime + 1) * this.tickTime;
	}

	/**
	 * Return when the next sessions can end, in milliseconds.
	 */
	long nextExpiry() {
		return this.nextExpiry;
	}

	/**
	 * Return the sessions that end now, which are closing from now on.
	 */
	List<Long> expired() {
		List<Long> ended = new ArrayList<>();
		while (this.nextExpiry <= this.millis.getAsLong()) {
			for (Session session : this.sessions.values()) {
				if (session.expiry == this.nextExpiry && !session.closing) {
					session.closing = true;
					ended.add(session.id);
				}
			}
			this.nextExpiry += this.tickTime;
		}
		return ended;
	}

	@Override
	public long createSession(int timeout) {
		long id = this.nextId++;
		trackSession(id, timeout);
		return id;
	}

	@Override
	public boolean trackSession(long id, int timeout) {
		boolean added = !this.sessions.containsKey(id);
		Session session = this.sessions.computeIfAbsent(id, Session::new);
		session.expiry = round(this.millis.getAsLong() + timeout);
		return added;
	}

	@Override
	public boolean commitSession(long id, int timeout) {
		return this.committed.put(id, timeout) == null;
	}

	@Override
	public boolean touchSession(long id, int timeout) {
		Session session = this.sessions.get(id);
		if (session == null || session.closing) {
			return false;
		}
		session.expiry = round(this.millis.getAsLong() + timeout);
		return true;
	}

	@Override
	public void setSessionClosing(long id) {
		Session session = this.sessions.get(id);
		if (session != null) {
			session.closing = true;
		}
	}

	@Override
	public void removeSession(long id) {
		this.sessions.remove(id);
		this.committed.remove(id);
	}

	@Override
	public boolean isTrackingSession(long id) {
		return this.sessions.containsKey(id);
	}

	@Override
	public void checkSession(long id, @Nullable Object owner)
			throws SessionExpiredException, SessionMovedException, UnknownSessionException {
		if (id == OPERATOR) {
			return;
		}
		Session session = this.sessions.get(id);
		// A leader answers "expired" where its tracker alone would say "unknown".
		if (session == null || session.closing) {
			throw new SessionExpiredException();
		}
		if (session.owner == null) {
			session.owner = owner;
		}
		else if (session.owner != owner) {
			throw new SessionMovedException();
		}
	}

	@Override
	public void checkGlobalSession(long id, @Nullable Object owner)
			throws SessionExpiredException, SessionMovedException {
		try {
			checkSession(id, owner);
		}
		catch (UnknownSessionException ex) {
			throw new SessionExpiredException();
		}
	}

	@Override
	public void setOwner(long id, @Nullable Object owner) throws SessionExpiredException {
		Session session = this.sessions.get(id);
		if (session == null || session.closing) {
			throw new SessionExpiredException();
		}
		session.owner = owner;
	}

	@Override
	public void shutdown() {
		this.sessions.clear();
	}

	@Override
	public void dumpSessions(PrintWriter writer) {
		writer.println(this.sessions.keySet());
	}

	@Override
	public Map<Long, Set<Long>> getSessionExpiryMap() {
		return Collections.emptyMap();
	}

	@Override
	public long getLocalSessionCount() {
		return 0;
	}

	@Override
	public boolean isLocalSessionsEnabled() {
		return false;
	}

	@Override
	public Set<Long> globalSessions() {
		return new TreeSet<>(this.sessions.keySet());
	}

	@Override
	public Set<Long> localSessions() {
		return Collections.emptySet();
	}

	private static final class Session {

		private final long id;

		private long expiry;

		private boolean closing;

		private @Nullable Object owner;

		Session(long id) {
			this.id = id;
		}

	}

}
