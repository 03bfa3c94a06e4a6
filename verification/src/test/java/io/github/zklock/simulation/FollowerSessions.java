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
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;

import org.apache.zookeeper.server.SessionTracker;
import org.jspecify.annotations.Nullable;

/**
 * The sessions as a follower knows them: it notes who was heard of, and tells its leader
 * with the next ping.
 */
final class FollowerSessions implements SessionTracker {

	private final ConcurrentMap<Long, Integer> committed;

	private TreeMap<Long, Integer> touched = new TreeMap<>();

	private long nextId;

	FollowerSessions(long firstId, ConcurrentMap<Long, Integer> committed) {
		this.nextId = firstId;
		this.committed = committed;
	}

	/**
	 * Return who was heard of since the last call.
	 */
	TreeMap<Long, Integer> touched() {
		TreeMap<Long, Integer> heard = this.touched;
		this.touched = new TreeMap<>();
		return heard;
	}

	@Override
	public long createSession(int timeout) {
		return this.nextId++;
	}

	@Override
	public boolean trackSession(long id, int timeout) {
		return false;
	}

	@Override
	public boolean commitSession(long id, int timeout) {
		this.touched.put(id, timeout);
		return this.committed.put(id, timeout) == null;
	}

	@Override
	public boolean touchSession(long id, int timeout) {
		this.touched.put(id, timeout);
		return true;
	}

	@Override
	public void setSessionClosing(long id) {
		// The leader knows.
	}

	@Override
	public void removeSession(long id) {
		this.committed.remove(id);
		this.touched.remove(id);
	}

	@Override
	public boolean isTrackingSession(long id) {
		return this.committed.containsKey(id);
	}

	@Override
	public void checkSession(long id, @Nullable Object owner) {
		// The leader knows.
	}

	@Override
	public void checkGlobalSession(long id, @Nullable Object owner) {
		// The leader knows.
	}

	@Override
	public void setOwner(long id, @Nullable Object owner) {
		// The leader knows.
	}

	@Override
	public void shutdown() {
		this.touched.clear();
	}

	@Override
	public void dumpSessions(PrintWriter writer) {
		writer.println(this.committed.keySet());
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
		return this.committed.keySet();
	}

	@Override
	public Set<Long> localSessions() {
		return Collections.emptySet();
	}

}
