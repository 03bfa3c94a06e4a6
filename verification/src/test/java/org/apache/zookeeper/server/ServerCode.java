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

import java.io.IOException;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.apache.jute.Record;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.proto.ConnectRequest;
import org.apache.zookeeper.proto.ConnectResponse;
import org.apache.zookeeper.proto.RequestHeader;
import org.apache.zookeeper.server.ServerCnxn.CloseRequestException;
import org.apache.zookeeper.server.ServerCnxn.DisconnectReason;
import org.apache.zookeeper.txn.MultiTxn;
import org.apache.zookeeper.txn.Txn;
import org.jspecify.annotations.Nullable;

/**
 * ZooKeeper's own server on the thread that calls: it opens sessions, prepares requests
 * and applies transactions. It starts no thread and has no file; who asks whom, and when,
 * is the simulation's.
 */
public final class ServerCode extends ZooKeeperServer {

	private final int id;

	private final LongSupplier millis;

	private final Hooks hooks;

	private final PrepRequestProcessor preparation;

	private final FinalRequestProcessor completion;

	private boolean readOnly;

	public ServerCode(int id, SessionTracker sessions, LongSupplier millis, Hooks hooks) {
		this.id = id;
		this.millis = millis;
		this.hooks = hooks;
		this.sessionTracker = sessions;
		boolean digest = isDigestEnabled();
		if (digest) {
			setDigestEnabled(false);
		}
		try {
			setZKDatabase(new MemoryDatabase());
			this.preparation = new PrepRequestProcessor(this, new Prepared());
		}
		finally {
			if (digest) {
				setDigestEnabled(true);
			}
		}
		this.completion = new FinalRequestProcessor(this);
		this.firstProcessor = new First();
		this.state = State.RUNNING;
	}

	/**
	 * Answer as a server without a quorum.
	 */
	public void readOnly(boolean only) {
		this.readOnly = only;
	}

	public void sessions(SessionTracker sessions) {
		this.sessionTracker = sessions;
	}

	@Override
	public long getServerId() {
		return this.id;
	}

	/**
	 * Take what a client has sent.
	 */
	public void receive(ConnectionCode connection, @Nullable RequestHeader header, @Nullable Record record) {
		try {
			if (record instanceof ConnectRequest connect) {
				processConnectRequest(connection, connect);
			}
			else if (header != null) {
				processPacket(connection, header, new Content(record));
			}
		}
		catch (IOException | ClientCnxnLimitException ex) {
			connection.close(DisconnectReason.IO_EXCEPTION);
		}
	}

	/**
	 * Let the server's own code check a request and make a transaction of it, if it is
	 * one. The request then has a header; it has an exception when the check failed.
	 */
	public void prepare(Request request) {
		try {
			this.preparation.pRequest(request);
		}
		catch (RequestProcessor.RequestProcessorException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Let the server's own code apply the transaction of a request, answer the client and
	 * fire watches.
	 */
	public void complete(Request request) {
		this.completion.processRequest(request);
	}

	/**
	 * Forget what was prepared and not applied.
	 */
	public void forgetPrepared() {
		this.outstandingChanges.clear();
		this.outstandingChangesForPath.clear();
	}

	/**
	 * Make a request as another server or the leader itself makes it.
	 */
	public static Request request(long session, int cxid, int type, @Nullable Record record, List<Id> auth) {
		return new Request(null, session, cxid, type, new Content(record), auth);
	}

	/**
	 * Make the request with which a server applies a transaction that another one has
	 * prepared.
	 */
	public static Request transaction(Request prepared) {
		Request request = new Request(prepared.getHdr(), copy(prepared.getTxn()), null);
		request.zxid = prepared.zxid;
		return request;
	}

	/**
	 * Give the request of a client the transaction that the leader has made of it.
	 */
	public static void join(Request own, Request prepared) {
		own.setHdr(prepared.getHdr());
		own.setTxn(copy(prepared.getTxn()));
		own.zxid = prepared.zxid;
	}

	// The server changes a multi while it applies it.
	private static @Nullable Record copy(@Nullable Record txn) {
		if (!(txn instanceof MultiTxn multi)) {
			return txn;
		}
		return new MultiTxn(multi.getTxns().stream().map((one) -> new Txn(one.getType(), one.getData())).toList());
	}

	public static @Nullable Record content(Request request) {
		return request.readRequestRecordNoException(() -> null);
	}

	@Override
	public void submitRequest(Request request) {
		submitRequestNow(request);
	}

	@Override
	public void processConnectRequest(ServerCnxn connection, ConnectRequest request)
			throws IOException, ClientCnxnLimitException {
		if (this.readOnly && !request.getReadOnly()) {
			throw new CloseRequestException("read-only", DisconnectReason.NOT_READ_ONLY_CLIENT);
		}
		// The server writes the password of a new session into the client's own record.
		super.processConnectRequest(connection,
				new ConnectRequest(request.getProtocolVersion(), request.getLastZxidSeen(), request.getTimeOut(),
						request.getSessionId(), request.getPasswd().clone(), request.getReadOnly()));
	}

	@Override
	protected void validateSession(ServerCnxn connection, long session) throws IOException {
		this.hooks.reconnects((ConnectionCode) connection, session);
	}

	@Override
	protected void revalidateSession(ServerCnxn connection, long session, int timeout) {
		this.hooks.revalidate((ConnectionCode) connection, session, timeout);
	}

	@Override
	public void finishSessionInit(ServerCnxn connection, boolean valid) {
		ConnectionCode client = (ConnectionCode) connection;
		client.sendRecord(
				new ConnectResponse(0, valid ? client.getSessionTimeout() : 0, valid ? client.getSessionId() : 0,
						valid ? generatePasswd(client.getSessionId()) : new byte[16], this.readOnly));
		if (!valid) {
			client.sendCloseSession();
		}
	}

	/**
	 * What the server asks the simulation.
	 */
	public interface Hooks {

		/**
		 * A client's request has passed the checks at the door.
		 */
		void submitted(Request request);

		/**
		 * A client comes back with its session.
		 */
		void reconnects(ConnectionCode connection, long session) throws IOException;

		/**
		 * Whether a session still lives has to be asked.
		 */
		void revalidate(ConnectionCode connection, long session, int timeout);

	}

	private final class First implements RequestProcessor {

		@Override
		public void processRequest(Request request) {
			ServerCode.this.hooks.submitted(request);
		}

		@Override
		public void shutdown() {
			// Nothing runs.
		}

	}

	private final class Prepared implements RequestProcessor {

		@Override
		public void processRequest(Request request) {
			if (request.getHdr() != null) {
				request.getHdr().setTime(ServerCode.this.millis.getAsLong());
			}
		}

		@Override
		public void shutdown() {
			// Nothing runs.
		}

	}

	/**
	 * A database without a log on disk; the simulation keeps the log.
	 */
	private static final class MemoryDatabase extends ZKDatabase {

		MemoryDatabase() {
			super(null);
		}

		@Override
		public void addCommittedProposal(Request request) {
			// The simulation keeps the log.
		}

	}

	/**
	 * What a request says, not as bytes.
	 */
	private record Content(@Nullable Record record) implements RequestRecord {

		@Override
		@SuppressWarnings("unchecked")
		public <T extends Record> T readRecord(Supplier<T> constructor) throws IOException {
			if (this.record == null) {
				throw new IOException("empty");
			}
			return (T) this.record;
		}

		@Override
		public byte[] readBytes() {
			return new byte[0];
		}

		@Override
		public int limit() {
			return 0;
		}

	}

}
