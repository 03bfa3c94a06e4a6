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

package io.github.zklock.zookeeper.request;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.zookeeper.tasks.EngineTasks;
import org.apache.zookeeper.AsyncCallback.MultiCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.ErrorResult;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * Requests that are sent together: their writes as one transaction, and their reads right
 * behind it. If the transaction is refused because of one of them, each is sent again
 * alone. If its outcome is unknown, the outcome of each request is unknown, and nothing
 * is sent again here.
 */
final class RequestBatch {

	private static final int MOST_REQUESTS = 100;

	private static final int MOST_BYTES = 256 * 1024;

	private final RequestCombiner combiner;

	private final ZooKeeper zooKeeper;

	private final List<CombinableRequest> requests = new ArrayList<>(2);

	// The directories of a second and later requests are compared with it. Two nodes of a
	// key in one transaction would have the same fencing tokens.
	private Set<String> entered = Set.of();

	private final AtomicInteger unanswered = new AtomicInteger();

	private List<Packet> packets = List.of();

	private int bytes;

	private boolean alone;

	private volatile Writes writes = Writes.UNANSWERED;

	private volatile boolean lost;

	RequestBatch(RequestCombiner combiner, ZooKeeper zooKeeper) {
		this.combiner = combiner;
		this.zooKeeper = zooKeeper;
	}

	boolean isEmpty() {
		return this.requests.isEmpty();
	}

	boolean isCombined() {
		return this.requests.size() > 1;
	}

	List<CombinableRequest> requests() {
		return this.requests;
	}

	/**
	 * Return whether no answer is waited for any more.
	 */
	boolean isAnswered() {
		return this.unanswered.get() <= 0;
	}

	/**
	 * Return whether reads were lost together, perhaps because their answers did not fit
	 * into one packet.
	 */
	boolean isLost() {
		return this.lost;
	}

	/**
	 * Add a request, unless it must not share a transaction with the others.
	 * @return whether it was added
	 */
	boolean add(CombinableRequest request) {
		if (request.isEntry() && !enters(request.directory())) {
			return false;
		}
		this.requests.add(request);
		this.bytes += request.size();
		this.alone = isSuspect(request);
		return true;
	}

	private boolean enters(String directory) {
		if (this.entered.isEmpty()) {
			this.entered = Set.of(directory);
			return true;
		}
		if (this.entered.size() == 1) {
			this.entered = new HashSet<>(this.entered);
		}
		return this.entered.add(directory);
	}

	/**
	 * Return whether there is space for one more request.
	 */
	boolean hasRoomFor(CombinableRequest request) {
		return isEmpty() || (this.requests.size() < MOST_REQUESTS && this.bytes + request.size() <= MOST_BYTES
				&& !this.alone && !isSuspect(request));
	}

	private boolean isSuspect(CombinableRequest request) {
		return this.combiner.cuts().isSuspect(request.directory());
	}

	/**
	 * Prepare all that is sent.
	 * @param readsTogether how many answers to a read fit into one packet
	 */
	void prepare(int readsTogether) {
		if (!isCombined()) {
			this.unanswered.set(1);
			return;
		}
		this.packets = new ArrayList<>(2);
		List<CombinableRequest> writers = new ArrayList<>();
		List<Op> writes = new ArrayList<>();
		List<CombinableRequest> readers = new ArrayList<>();
		List<Op> reads = new ArrayList<>();
		for (CombinableRequest request : this.requests) {
			addIfPresent(request, request.write(), writers, writes);
			addIfPresent(request, request.listing(), readers, reads);
		}
		if (!writes.isEmpty()) {
			addPacket(writes, (rc, path, context, results) -> onWritesReply(writers, rc, results));
		}
		for (int from = 0; from < reads.size(); from += readsTogether) {
			int to = Math.min(from + readsTogether, reads.size());
			List<CombinableRequest> some = readers.subList(from, to);
			addPacket(reads.subList(from, to), (rc, path, context, results) -> onListingsReply(some, rc, results));
		}
		this.unanswered.set(this.packets.size());
	}

	private void addPacket(List<Op> operations, MultiCallback answer) {
		MultiCallback callback = (int rc, String path, Object context,
				@Nullable List<OpResult> results) -> this.combiner.runReply(() -> onPacketReply(answer, rc, results));
		this.packets.add(new Packet(operations, this.combiner.replies().multi(callback)));
	}

	/**
	 * Send everything.
	 */
	void send() {
		if (isCombined()) {
			for (Packet packet : this.packets) {
				send(packet);
			}
		}
		else {
			if (this.alone) {
				this.combiner.guard(this.requests.get(0).directory());
			}
			sendAlone(this.requests.get(0));
		}
	}

	private static void addIfPresent(CombinableRequest request, @Nullable Op operation, List<CombinableRequest> those,
			List<Op> operations) {
		if (operation != null) {
			those.add(request);
			operations.add(operation);
		}
	}

	private void send(Packet packet) {
		this.zooKeeper.multi(packet.operations(), packet.callback(), null);
	}

	private void onPacketReply(MultiCallback answer, int rc, @Nullable List<OpResult> results) {
		answer.processResult(rc, "", null, results);
		packetAnswered();
	}

	// The client refuses a path or data that no server would take, before it sends
	// anything. After any other exception it may have sent the request.
	private void sendAlone(CombinableRequest request) {
		try {
			request.send(this.zooKeeper, () -> this.combiner.runReply(this::packetAnswered));
		}
		catch (IllegalArgumentException ex) {
			EngineTasks.log("A request for " + request.directory() + " could not be sent", ex);
			request.fail(Code.BADARGUMENTS.intValue());
			this.combiner.runReply(this::packetAnswered);
		}
	}

	private void onWritesReply(List<CombinableRequest> writers, int rc, @Nullable List<OpResult> results) {
		this.combiner.cuts().replied(rc);
		this.writes = (rc == Code.OK.intValue()) ? Writes.EXECUTED : Writes.NOT_EXECUTED;
		if (results != null && rc == Code.OK.intValue()) {
			for (int i = 0; i < writers.size(); i++) {
				CombinableRequest writer = writers.get(i);
				OpResult result = results.get(i);
				writer.onWriteReply(rc, result);
			}
		}
		else if (isRefused(results)) {
			this.unanswered.addAndGet(writers.size());
			writers.forEach(this::sendAlone);
		}
		else {
			writers.forEach((writer) -> writer.onWriteReply(rc, null));
		}
	}

	// Only a reply of the server has results, and a transaction with an error has done
	// nothing.
	private static boolean isRefused(@Nullable List<OpResult> results) {
		return results != null && !results.isEmpty();
	}

	private void onListingsReply(List<CombinableRequest> readers, int rc, @Nullable List<OpResult> results) {
		if (this.combiner.cuts().replied(rc)) {
			readers.forEach((reader) -> this.combiner.cuts().cut(reader.directory(), false));
		}
		this.lost |= rc == Code.CONNECTIONLOSS.intValue();
		for (int i = 0; i < readers.size(); i++) {
			CombinableRequest reader = readers.get(i);
			if (reader.isEntry() && this.writes != Writes.EXECUTED) {
				if (this.writes == Writes.UNANSWERED) {
					// A client that closes answers the listing at once, and has not sent
					// it. So no listing follows the creation.
					reader.fail(Code.CONNECTIONLOSS.intValue());
				}
				continue;
			}
			if (results != null && i < results.size()) {
				OpResult result = results.get(i);
				reader.onListingReply((result instanceof ErrorResult error) ? error.getErr() : Code.OK.intValue(),
						result);
			}
			else {
				reader.onListingReply(rc, null);
			}
		}
	}

	private void packetAnswered() {
		if (this.unanswered.decrementAndGet() <= 0) {
			this.combiner.sendWhatMayGo();
		}
	}

	private enum Writes {

		/** Their outcome is not known yet. */
		UNANSWERED,

		EXECUTED,

		/** They were refused, or their outcome will not be known. */
		NOT_EXECUTED

	}

	/**
	 * Operations that are sent as one request.
	 *
	 * @param operations the operations
	 * @param callback takes the answer on any thread
	 */
	private record Packet(List<Op> operations, MultiCallback callback) {

	}

}
