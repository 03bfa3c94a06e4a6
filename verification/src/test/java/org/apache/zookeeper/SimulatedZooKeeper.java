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
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Objects;

import io.github.zklock.simulation.Cable;
import io.github.zklock.simulation.ClientLink;
import io.github.zklock.simulation.FailedStep;
import io.github.zklock.simulation.Lane;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * A client of a simulated ensemble: ZooKeeper's own code, without its two threads and its
 * socket. Only the asynchronous methods work; {@link #close()} returns at once.
 */
public final class SimulatedZooKeeper extends ZooKeeper {

	private static final ZKClientConfig CONFIG = new ZKClientConfig();

	static {
		CONFIG.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
		CONFIG.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, SimulatedSocket.class.getName());
	}

	private SimulatedZooKeeper(int sessionTimeout, Watcher watcher, boolean readOnly, Cable cable) throws IOException {
		super("simulated:2181", sessionTimeout, watcher, readOnly, new Hosts(cable), CONFIG);
	}

	/**
	 * Make a client at the end of a cable.
	 */
	public static SimulatedZooKeeper on(Cable cable, int sessionTimeout, Watcher watcher, boolean readOnly) {
		try {
			return new SimulatedZooKeeper(sessionTimeout, watcher, readOnly, cable);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	ClientCnxn createConnection(String chroot, HostProvider hosts, int sessionTimeout, ZKClientConfig config,
			Watcher watcher, ClientCnxnSocket socket, boolean readOnly) throws IOException {
		return new FailingClient(((Hosts) hosts).cable(), hosts, sessionTimeout, config, watcher,
				(SimulatedSocket) socket, readOnly, chroot);
	}

	private FailingClient client() {
		return (FailingClient) Objects.requireNonNull(this.cnxn);
	}

	/**
	 * Return what sends requests and pings, and reads what the server sends.
	 */
	public Lane sendLane() {
		return client().cable().sendLane();
	}

	/**
	 * Return what delivers replies and events.
	 */
	public Lane eventLane() {
		return client().cable().eventLane();
	}

	/**
	 * Return whether a reply or an event is being delivered now: the caller is on the
	 * event thread.
	 */
	public boolean isDelivering() {
		return client().delivery().isDelivering();
	}

	public ClientLink link() {
		return client().cable();
	}

	/**
	 * Return where a step of the engine fails that sends a request.
	 */
	public FailedStep.Place failing() {
		return client().failing();
	}

	/**
	 * Stop both lanes for good, as when the process dies; the server sees the connection
	 * close, the session stays until it expires.
	 */
	public void crash() {
		client().cable().crash();
	}

	/**
	 * End the session and let go of the connection, later.
	 */
	@Override
	public synchronized void close() {
		if (getState().isAlive()) {
			client().close();
		}
	}

	@Override
	public boolean close(int waitForShutdownTimeoutMs) {
		close();
		return true;
	}

	/**
	 * The servers as the client counts them; the cable knows them.
	 */
	private record Hosts(Cable cable) implements HostProvider {

		@Override
		public int size() {
			return this.cable.size();
		}

		@Override
		public InetSocketAddress next(long spinDelay) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void onConnected() {
			// The client counts its tries.
		}

		@Override
		public boolean updateServerList(Collection<InetSocketAddress> servers, InetSocketAddress current) {
			throw new UnsupportedOperationException();
		}

	}

}
