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
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Queue;

import org.apache.zookeeper.ClientCnxn.Packet;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * The socket of a {@link SimulatedClient}: its clock, and whether it is connected.
 */
public final class SimulatedSocket extends ClientCnxnSocket {

	private @Nullable SimulatedClient client;

	private @Nullable InetSocketAddress remote;

	public SimulatedSocket(ZKClientConfig config) {
		this.clientConfig = config;
	}

	void owner(SimulatedClient owner) {
		this.client = owner;
		introduce(owner.sendThread, 0, owner.outgoing());
	}

	SimulatedClient client() {
		if (this.client == null) {
			throw new IllegalStateException("no client yet");
		}
		return this.client;
	}

	boolean isInitialized() {
		return this.initialized;
	}

	void opening(InetSocketAddress address) {
		this.remote = address;
		this.initialized = false;
	}

	/**
	 * Read what a server says to the wish for a session.
	 */
	void readSession(ByteBuffer message) throws IOException {
		this.incomingBuffer = message;
		readConnectResult();
		updateLastHeard();
		this.initialized = true;
	}

	@Override
	void updateNow() {
		this.now = client().millis();
	}

	@Override
	boolean isConnected() {
		return this.remote != null;
	}

	@Override
	void connect(InetSocketAddress address) {
		throw new UnsupportedOperationException();
	}

	@Override
	@Nullable SocketAddress getRemoteSocketAddress() {
		return this.remote;
	}

	@Override
	@Nullable SocketAddress getLocalSocketAddress() {
		return this.remote;
	}

	@Override
	void cleanup() {
		this.remote = null;
		this.initialized = false;
		client().hangUp();
	}

	@Override
	void packetAdded() {
		client().wake();
	}

	@Override
	void onClosing() {
		client().wake();
	}

	@Override
	void saslCompleted() {
		throw new UnsupportedOperationException();
	}

	@Override
	void connectionPrimed() {
		client().wake();
	}

	@Override
	void doTransport(int timeout, Queue<Packet> pending, ClientCnxn connection) {
		throw new UnsupportedOperationException();
	}

	@Override
	void testableCloseSocket() {
		client().cut();
	}

	@Override
	void close() {
		// Nothing is open.
	}

	@Override
	void sendPacket(Packet packet) {
		throw new UnsupportedOperationException();
	}

}
