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

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

import org.apache.zookeeper.ZooKeeper;

/**
 * One side of a comparison, the real or the simulated one: servers and their clients.
 */
abstract class Side implements AutoCloseable {

	private final Map<Long, String> sessions = new ConcurrentHashMap<>();

	/**
	 * Begin to connect a client.
	 */
	abstract ZooKeeper connect(RecordedClient client, Duration timeout);

	/**
	 * Go on until a condition holds, which is checked whenever a client has recorded
	 * something.
	 */
	abstract void await(String what, BooleanSupplier condition);

	/**
	 * Return the time of this side, as {@link System#nanoTime()} does.
	 */
	abstract long nanoTime();

	/**
	 * Close a client as its user does.
	 */
	abstract void close(RecordedClient client);

	@Override
	public abstract void close();

	/**
	 * Give a session the name of its client, since its id differs from run to run.
	 */
	void name(long session, String client) {
		this.sessions.put(session, client);
	}

	String owner(long session) {
		return (session != 0) ? this.sessions.getOrDefault(session, "unknown") : "none";
	}

	/**
	 * Called by a client that has recorded something.
	 */
	void recorded() {
	}

}
