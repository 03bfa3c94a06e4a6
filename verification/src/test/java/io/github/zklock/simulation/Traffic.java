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

import org.apache.jute.Record;
import org.apache.zookeeper.ClientCnxn;
import org.apache.zookeeper.MultiOperationRecord;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.GetChildren2Request;
import org.apache.zookeeper.proto.GetChildrenRequest;
import org.apache.zookeeper.proto.GetDataRequest;
import org.jspecify.annotations.Nullable;

/**
 * What clients have asked an ensemble, and what it has told them. What a request with
 * several parts asks for is counted by its parts.
 */
public final class Traffic {

	private long requests;

	private long lists;

	private long reads;

	private long writes;

	private long heartbeats;

	private long pings;

	private long others;

	private long transactions;

	private long events;

	private long watches;

	private long bytes;

	void request(int type, @Nullable Record record) {
		if (type == OpCode.ping) {
			this.pings++;
			return;
		}
		this.requests++;
		if (record instanceof MultiOperationRecord parts) {
			for (Op part : parts) {
				count(part.getType(), part.getPath());
			}
			return;
		}
		count(type, RequestPaths.of(record));
		if (record instanceof GetDataRequest read && read.getWatch()
				|| record instanceof GetChildrenRequest list && list.getWatch()
				|| record instanceof GetChildren2Request listed && listed.getWatch()) {
			this.watches++;
		}
	}

	private void count(int type, String path) {
		switch (type) {
			case OpCode.getChildren, OpCode.getChildren2 -> this.lists++;
			case OpCode.getData, OpCode.exists -> this.reads++;
			case OpCode.create, OpCode.create2, OpCode.createContainer, OpCode.delete, OpCode.setData -> {
				if (path.contains("/~sessions")) {
					this.heartbeats++;
				}
				else {
					this.writes++;
				}
			}
			default -> this.others++;
		}
	}

	void transaction() {
		this.transactions++;
	}

	void sent(int xid, int length) {
		if (xid == ClientCnxn.NOTIFICATION_XID) {
			this.events++;
		}
		if (xid != ClientCnxn.PING_XID) {
			this.bytes += length;
		}
	}

	/**
	 * Return what was counted so far.
	 */
	public Totals totals() {
		return new Totals(this.requests, this.lists, this.reads, this.writes, this.heartbeats, this.pings, this.others,
				this.transactions, this.events, this.watches, this.bytes);
	}

	/**
	 * What was counted.
	 *
	 * @param requests messages of clients, without pings
	 * @param lists listings of a directory
	 * @param reads reads of one node, with or without a watch
	 * @param writes creates and deletes of nodes of locks and their directories
	 * @param heartbeats writes to, and of, the nodes of heartbeats
	 * @param pings what a client sends that has nothing to send
	 * @param others all other requests: removed watches, syncs, sessions
	 * @param transactions what the leader has let the servers agree on
	 * @param events what watches have told
	 * @param watches the watches that were set
	 * @param bytes what was sent to clients
	 */
	public record Totals(long requests, long lists, long reads, long writes, long heartbeats, long pings, long others,
			long transactions, long events, long watches, long bytes) {

		/**
		 * Return what was counted since then.
		 */
		public Totals since(Totals before) {
			return new Totals(this.requests - before.requests, this.lists - before.lists, this.reads - before.reads,
					this.writes - before.writes, this.heartbeats - before.heartbeats, this.pings - before.pings,
					this.others - before.others, this.transactions - before.transactions, this.events - before.events,
					this.watches - before.watches, this.bytes - before.bytes);
		}

	}

}
