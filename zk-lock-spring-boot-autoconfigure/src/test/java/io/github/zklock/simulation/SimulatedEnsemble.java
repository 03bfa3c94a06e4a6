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

import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.SimulatedZooKeeper;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;

/**
 * A ZooKeeper ensemble on a {@link Schedule}: no thread, no socket, no file. The
 * processors of the server and the code of the client are ZooKeeper's own; what is
 * between them is simulated. Servers are numbered from 1.
 */
public final class SimulatedEnsemble {

	/**
	 * Make an ensemble that has a leader and serves clients at once.
	 */
	public SimulatedEnsemble(Schedule schedule, EnsembleSettings settings) {
		throw new UnsupportedOperationException("soon");
	}

	/**
	 * Make a client that may connect to each of the servers. It has two lanes,
	 * {@code name-send} and {@code name-event}; requests may be made from any lane.
	 */
	public SimulatedZooKeeper connect(String name, int sessionTimeout, Watcher watcher) {
		throw new UnsupportedOperationException("soon");
	}

	/**
	 * Make a client that knows these servers only.
	 * @param readOnly whether it accepts a read-only server
	 */
	public SimulatedZooKeeper connect(String name, int sessionTimeout, Watcher watcher, boolean readOnly,
			List<Integer> servers) {
		throw new UnsupportedOperationException("soon");
	}

	/**
	 * Stop a server. It keeps what it has logged.
	 */
	public void crash(int server) {
		throw new UnsupportedOperationException("soon");
	}

	/**
	 * Start a server that has crashed.
	 */
	public void restart(int server) {
		throw new UnsupportedOperationException("soon");
	}

	public boolean isUp(int server) {
		throw new UnsupportedOperationException("soon");
	}

	/**
	 * Cut a server from the other servers, silently. Its clients still reach it.
	 */
	public void isolate(int server) {
		throw new UnsupportedOperationException("soon");
	}

	/**
	 * Undo {@link #isolate(int)}.
	 */
	public void heal(int server) {
		throw new UnsupportedOperationException("soon");
	}

	/**
	 * Refuse connections of clients, or accept them again.
	 */
	public void refuse(int server, boolean refused) {
		throw new UnsupportedOperationException("soon");
	}

	/**
	 * Let the leader give up, so that the servers elect one.
	 */
	public void elect() {
		throw new UnsupportedOperationException("soon");
	}

	/**
	 * Return the server that leads a quorum, or 0.
	 */
	public int leader() {
		throw new UnsupportedOperationException("soon");
	}

	/**
	 * Answer requests with errors; {@code null} for no longer.
	 */
	public void fail(@Nullable RequestFault fault) {
		throw new UnsupportedOperationException("soon");
	}

	/**
	 * End a session, as the leader does when it has expired.
	 */
	public void expire(long session) {
		throw new UnsupportedOperationException("soon");
	}

	/**
	 * Create a node, as an operator does by hand. It is committed later, if there is a
	 * leader.
	 */
	public void create(String path, byte[] data, CreateMode mode) {
		throw new UnsupportedOperationException("soon");
	}

	/**
	 * Delete a node that has no children, as an operator does by hand.
	 */
	public void delete(String path) {
		throw new UnsupportedOperationException("soon");
	}

	/**
	 * Remove the empty containers now. It also happens by itself, see
	 * {@link EnsembleSettings#reapMillis()}.
	 */
	public void reap() {
		throw new UnsupportedOperationException("soon");
	}

	/**
	 * Return the last committed transaction.
	 */
	public long zxid() {
		throw new UnsupportedOperationException("soon");
	}

	/**
	 * Return a node of the committed tree.
	 */
	public @Nullable NodeView node(String path) {
		throw new UnsupportedOperationException("soon");
	}

	/**
	 * Return the committed tree by path, without the server's own {@code /zookeeper}.
	 */
	public SortedMap<String, NodeView> nodes() {
		throw new UnsupportedOperationException("soon");
	}

	/**
	 * Return how many watches all servers hold.
	 */
	public int watches() {
		throw new UnsupportedOperationException("soon");
	}

	/**
	 * Return the sessions that have not ended in the committed tree.
	 */
	public SortedSet<Long> sessions() {
		throw new UnsupportedOperationException("soon");
	}

}
