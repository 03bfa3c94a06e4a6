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

package org.apache.zookeeper;

import java.io.IOException;

import io.github.zklock.simulation.ClientLink;
import io.github.zklock.simulation.Lane;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * A client of a simulated ensemble: ZooKeeper's own code, without its two threads and its
 * socket. Only the asynchronous methods work; {@link #close()} returns at once.
 */
public final class SimulatedZooKeeper extends ZooKeeper {

	SimulatedZooKeeper(String connectString, int sessionTimeout, Watcher watcher, boolean canBeReadOnly,
			HostProvider hostProvider, ZKClientConfig clientConfig) throws IOException {
		super(connectString, sessionTimeout, watcher, canBeReadOnly, hostProvider, clientConfig);
	}

	/**
	 * Return what sends requests and pings, and reads what the server sends.
	 */
	public Lane sendLane() {
		throw new UnsupportedOperationException("soon");
	}

	/**
	 * Return what delivers replies and events.
	 */
	public Lane eventLane() {
		throw new UnsupportedOperationException("soon");
	}

	/**
	 * Return whether a reply or an event is being delivered now: the caller is on the
	 * event thread.
	 */
	public boolean isDelivering() {
		throw new UnsupportedOperationException("soon");
	}

	public ClientLink link() {
		throw new UnsupportedOperationException("soon");
	}

	/**
	 * Stop both lanes for good, as when the process dies; the server sees the connection
	 * close, the session stays until it expires.
	 */
	public void crash() {
		throw new UnsupportedOperationException("soon");
	}

}
