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

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import org.apache.zookeeper.proto.ReplyHeader;
import org.apache.zookeeper.server.ConnectionCode;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ServerCode;
import org.jspecify.annotations.Nullable;

/**
 * The order in which a server answers: a request that has to be committed holds back
 * those that its client sent after it.
 */
final class AnswerOrder {

	private final ServerCode code;

	private final Map<Long, ArrayDeque<Waiting>> waiting = new HashMap<>();

	AnswerOrder(ServerCode code) {
		this.code = code;
	}

	void clear() {
		this.waiting.clear();
	}

	/**
	 * Answer a request when those before it are answered.
	 */
	void read(Request request) {
		add(new Waiting(request, false, false));
	}

	/**
	 * Answer a request when its transaction is applied, or its {@code sync} is back.
	 */
	void write(Request request) {
		add(new Waiting(request, true, false));
	}

	/**
	 * Answer a request with its exception, when those before it are answered.
	 */
	void refuse(Request request) {
		add(new Waiting(request, false, true));
	}

	private void add(Waiting request) {
		ArrayDeque<Waiting> before = this.waiting.get(request.request.sessionId);
		if (before != null) {
			before.add(request);
		}
		else if (request.commit) {
			before = new ArrayDeque<>(4);
			before.add(request);
			this.waiting.put(request.request.sessionId, before);
		}
		else {
			answer(request);
		}
	}

	private void answer(Waiting request) {
		Request asked = request.request;
		if (request.refused) {
			ConnectionCode connection = (ConnectionCode) asked.cnxn;
			int error = Objects.requireNonNull(asked.getException()).code().intValue();
			connection.sendResponse(new ReplyHeader(asked.cxid, this.code.getLastProcessedZxid(), error), null, null,
					null, null, 0);
		}
		else {
			this.code.complete(asked);
		}
	}

	/**
	 * Apply a transaction.
	 * @return the connection that has asked for it, if it is one of this server
	 */
	@Nullable ServerCnxn apply(Request transaction) {
		ArrayDeque<Waiting> requests = this.waiting.get(transaction.sessionId);
		Waiting first = (requests != null) ? requests.peek() : null;
		if (requests == null || first == null || !first.isFor(transaction)) {
			this.code.complete(ServerCode.transaction(transaction));
			return null;
		}
		requests.remove();
		ServerCode.join(first.request, transaction);
		this.code.complete(first.request);
		goOn(transaction.sessionId);
		return first.request.cnxn;
	}

	/**
	 * Answer a {@code sync}: what was committed before it is applied.
	 */
	void synced(Request request) {
		ArrayDeque<Waiting> requests = this.waiting.get(request.sessionId);
		if (requests != null && requests.peek() != null && requests.peek().request == request) {
			requests.remove();
			this.code.complete(request);
			goOn(request.sessionId);
		}
	}

	private void goOn(long session) {
		ArrayDeque<Waiting> requests = this.waiting.get(session);
		while (requests != null && !requests.isEmpty() && !requests.peek().commit) {
			answer(requests.remove());
		}
		if (requests != null && requests.isEmpty()) {
			this.waiting.remove(session);
		}
	}

	/**
	 * A request that is not answered yet.
	 *
	 * @param commit whether it waits for its transaction, or for its {@code sync}
	 * @param refused whether an error is the whole answer
	 */
	private record Waiting(Request request, boolean commit, boolean refused) {

		// A transaction that failed has another type; one that opens or ends a session
		// has no number.
		boolean isFor(Request transaction) {
			return this.request.cxid == transaction.cxid
					&& (transaction.cxid != 0 || this.request.type == transaction.type);
		}

	}

}
