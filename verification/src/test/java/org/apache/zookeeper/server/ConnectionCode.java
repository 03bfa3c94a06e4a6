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

package org.apache.zookeeper.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.cert.Certificate;
import java.util.List;

import org.apache.jute.BinaryOutputArchive;
import org.apache.jute.Record;
import org.apache.zookeeper.ClientCnxn;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.proto.ReplyHeader;
import org.jspecify.annotations.Nullable;

/**
 * The server's end of a client's connection. Its hash code is its number: the server
 * keeps watchers in hash sets.
 */
public final class ConnectionCode extends ServerCnxn {

	private static final InetSocketAddress ADDRESS = new InetSocketAddress(java.net.InetAddress.getLoopbackAddress(),
			2181);

	private final int number;

	private final Peer peer;

	private long session;

	private int timeout = 10_000;

	private boolean closed;

	public ConnectionCode(ServerCode server, int number, Peer peer) {
		super(server);
		this.number = number;
		this.peer = peer;
	}

	public boolean isClosed() {
		return this.closed;
	}

	/**
	 * Close this end: no watch fires on it any more.
	 */
	public void close() {
		if (!this.closed) {
			this.closed = true;
			setStale();
			this.zkServer.removeCnxn(this);
		}
	}

	@Override
	public void close(DisconnectReason reason) {
		sendCloseSession();
	}

	@Override
	public void sendCloseSession() {
		if (!this.closed) {
			close();
			this.peer.close();
		}
	}

	@Override
	public int sendResponse(ReplyHeader header, @Nullable Record record, @Nullable String tag,
			@Nullable String cacheKey, @Nullable Stat stat, int opCode) {
		send(header, record);
		decrOutstandingAndCheckThrottle(header);
		return 0;
	}

	void sendRecord(Record record) {
		send(null, record);
	}

	private void send(@Nullable ReplyHeader header, @Nullable Record record) {
		if (this.closed) {
			return;
		}
		ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
		BinaryOutputArchive archive = BinaryOutputArchive.getArchive(bytes);
		try {
			if (header != null) {
				header.serialize(archive, "header");
			}
			if (record != null) {
				record.serialize(archive, "response");
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.peer.send((header != null) ? header.getXid() : 0, ByteBuffer.wrap(bytes.toByteArray()));
	}

	@Override
	public void process(WatchedEvent event, @Nullable List<ACL> acl) {
		try {
			this.zkServer.checkACL(this, acl, ZooDefs.Perms.READ, getAuthInfo(), event.getPath(), null);
		}
		catch (KeeperException.NoAuthException ex) {
			return;
		}
		send(new ReplyHeader(ClientCnxn.NOTIFICATION_XID, event.getZxid(), 0), event.getWrapper());
	}

	@Override
	public int getSessionTimeout() {
		return this.timeout;
	}

	@Override
	public long getSessionId() {
		return this.session;
	}

	@Override
	void setSessionId(long session) {
		this.session = session;
	}

	@Override
	void setSessionTimeout(int timeout) {
		this.timeout = timeout;
	}

	@Override
	void sendBuffer(ByteBuffer... buffers) {
		throw new UnsupportedOperationException("The server sends records only");
	}

	@Override
	void enableRecv() {
		// Clients send nothing before they have a session.
	}

	@Override
	void disableRecv(boolean wait) {
		// Clients send nothing before they have a session.
	}

	@Override
	protected ServerStats serverStats() {
		return this.zkServer.serverStats();
	}

	@Override
	public InetSocketAddress getRemoteSocketAddress() {
		return ADDRESS;
	}

	@Override
	public int getInterestOps() {
		return 0;
	}

	@Override
	public boolean isSecure() {
		return false;
	}

	@Override
	public Certificate @Nullable [] getClientCertificateChain() {
		return null;
	}

	@Override
	public void setClientCertificateChain(Certificate[] chain) {
		// There is none.
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other;
	}

	@Override
	public int hashCode() {
		return this.number;
	}

	/**
	 * The way to the client.
	 */
	public interface Peer {

		/**
		 * Send a message.
		 * @param xid the number of the request it answers; negative for an event or a
		 * ping, 0 for a session
		 */
		void send(int xid, ByteBuffer message);

		/**
		 * Close the connection after what was sent.
		 */
		void close();

	}

}
