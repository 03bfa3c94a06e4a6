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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.github.zklock.zookeeper.tasks.Mender;
import io.github.zklock.zookeeper.tasks.Mender.Mending;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.CreateResult;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of a session. Each goes out at once as long as few others are under
 * way; those that come while many are wait for the next answer, and then go out together.
 * Requests for one directory keep their order: while one of them is part of a
 * transaction, which may be refused and sent again in parts, the next one waits, unless
 * it joins that transaction.
 */
public final class RequestCombiner {

	private static final int WINDOW = 4;

	private final ZooKeeper zooKeeper;

	private final Consumer<Runnable> replies;

	private final Mender mender;

	private final Mending mending;

	private final Queue<CombinableRequest> arrived = new ConcurrentLinkedQueue<>();

	private final Queue<RequestBatch> answered = new ConcurrentLinkedQueue<>();

	private final ListingSizes listings = new ListingSizes();

	// One thread sends at a time, without a lock: the client runs callbacks inside of its
	// own ones once it has ended. What follows belongs to that thread.
	private final AtomicInteger rounds = new AtomicInteger();

	private final Queue<CombinableRequest> waiting = new ArrayDeque<>();

	private final Set<String> busy = new HashSet<>();

	private final Set<String> passed = new HashSet<>();

	private @Nullable RequestBatch next;

	private int underWay;

	private final TransactionSupport transactions = new TransactionSupport();

	// What the current thread sends while it does two things together.
	private final ThreadLocal<List<CombinableRequest>> collected = new ThreadLocal<>();

	/**
	 * Create a combiner.
	 * @param mender repeats what has failed
	 * @param replies takes steps with a reply, on a thread on which it may send again
	 */
	public RequestCombiner(ZooKeeper zooKeeper, Mender mender, Consumer<Runnable> replies) {
		this.zooKeeper = zooKeeper;
		this.mender = mender;
		this.mending = mender.guard(this::sendWhatMayGo);
		this.replies = replies;
	}

	/** Send a request, now or with the next ones. */
	public void send(CombinableRequest request) {
		List<CombinableRequest> collecting = this.collected.get();
		if (collecting != null) {
			collecting.add(request);
			return;
		}
		this.arrived.add(request);
		sendWhatMayGo();
	}

	/**
	 * Do two things, the second one in any case, and send what they send at once: as one
	 * transaction if it is for one directory and keeps its order thereby.
	 */
	public void together(Runnable first, Runnable second) {
		boolean outermost = this.collected.get() == null;
		if (outermost) {
			this.collected.set(new ArrayList<>(2));
		}
		try {
			first.run();
		}
		finally {
			try {
				second.run();
			}
			finally {
				if (outermost) {
					List<CombinableRequest> all = this.collected.get();
					this.collected.remove();
					this.arrived.addAll(all);
					sendWhatMayGo();
				}
			}
		}
	}

	/** Nothing of a batch is under way any more. */
	void answered(RequestBatch batch) {
		try {
			this.answered.add(batch);
		}
		catch (Throwable ex) {
			this.mender.guard(() -> answered(batch)).failed(ex);
		}
		sendWhatMayGo();
	}

	/**
	 * Take a step with a reply, which may send again.
	 */
	void reply(Runnable step) {
		this.replies.accept(step);
	}

	public TransactionSupport transactions() {
		return this.transactions;
	}

	private void sendWhatMayGo() {
		if (this.rounds.getAndIncrement() != 0) {
			return;
		}
		int seen = 1;
		while (seen != 0) {
			try {
				takeBack();
				settle();
				while (!this.waiting.isEmpty() && sendNext()) {
					// Until the rest has to wait.
				}
			}
			catch (Throwable ex) {
				// Whoever comes next sends, or the timer does.
				this.mending.failed(ex);
			}
			seen = this.rounds.addAndGet(-seen);
		}
	}

	// Something has failed before it was sent. Whoever wants to know is told that it may
	// have been sent, and finds out.
	private void takeBack() {
		RequestBatch batch = this.next;
		if (batch != null) {
			this.waiting.removeAll(batch.requests());
			free(batch);
			this.next = null;
			batch.requests().forEach(RequestBatch::lose);
		}
	}

	private boolean sendNext() {
		RequestBatch batch = new RequestBatch(this, this.zooKeeper);
		this.next = batch;
		fill(batch);
		if (batch.isEmpty()) {
			this.next = null;
			return false;
		}
		batch.prepare(this.listings.together());
		this.underWay++;
		this.next = null;
		if (!batch.isCombined()) {
			free(batch);
		}
		batch.send();
		return true;
	}

	private void settle() {
		// It is not taken out before it is there, since that may fail.
		for (CombinableRequest request = this.arrived.peek(); request != null; request = this.arrived.peek()) {
			this.waiting.add(request);
			this.arrived.remove();
		}
		for (RequestBatch batch = this.answered.peek(); batch != null; batch = this.answered.peek()) {
			batch.requests().forEach((request) -> this.listings.seen(request.answerSize()));
			if (batch.isLost()) {
				this.listings.lost();
			}
			if (batch.isCombined()) {
				free(batch);
			}
			this.underWay--;
			this.answered.remove();
		}
	}

	private void free(RequestBatch batch) {
		batch.requests().forEach((request) -> this.busy.remove(request.directory()));
	}

	private void fill(RequestBatch batch) {
		this.passed.clear();
		boolean full = this.underWay >= WINDOW;
		for (Iterator<CombinableRequest> requests = this.waiting.iterator(); requests.hasNext();) {
			CombinableRequest request = requests.next();
			boolean alone = request.isAlone() || !this.transactions.isSupported();
			if (!alone && (full || !batch.hasRoomFor(request))) {
				break;
			}
			if (mustWait(request, alone, batch)) {
				this.passed.add(request.directory());
				continue;
			}
			if (alone) {
				requests.remove();
				RequestBatch.sendAlone(request, this.zooKeeper, () -> {
				});
			}
			else {
				batch.add(request);
				this.busy.add(request.directory());
				requests.remove();
			}
		}
	}

	private boolean mustWait(CombinableRequest request, boolean alone, RequestBatch batch) {
		if (!this.busy.contains(request.directory())) {
			return false;
		}
		return alone || !this.transactions.isJoining() || this.passed.contains(request.directory())
				|| !batch.isJoinedBy(request);
	}

	/**
	 * How many listings fit into one packet, as far as the ones that were seen tell. A
	 * client gives up its connection when an answer is larger than it takes.
	 */
	static final class ListingSizes {

		private static final int ROOM = 512 * 1024;

		private static final int LEAST = 5 * 1024;

		private static final int FADING = 1024;

		private int widest = LEAST;

		int together() {
			return Math.max(ROOM / this.widest, 1);
		}

		void seen(int bytes) {
			int faded = this.widest - this.widest / FADING;
			this.widest = Math.max(LEAST, Math.max(bytes, faded));
		}

		/**
		 * Several at once were not answered, perhaps because they did not fit.
		 */
		void lost() {
			this.widest = Math.min(this.widest * 2, ROOM);
		}

	}

	/**
	 * What the answers of a server tell of its transactions.
	 */
	public static final class TransactionSupport {

		private volatile boolean supported = true;

		private volatile boolean joining = true;

		/**
		 * Return whether it takes them at all.
		 */
		boolean isSupported() {
			return this.supported;
		}

		/**
		 * Return whether requests for one directory are sent together.
		 */
		public boolean isJoining() {
			return this.supported && this.joining;
		}

		/**
		 * A part of a transaction was answered: perhaps without its stat, as to a client
		 * that is confined to a part of the tree, which has to ask for it then.
		 */
		void learn(OpResult result) {
			if (result instanceof CreateResult created && created.getStat() == null) {
				this.joining = false;
			}
		}

		/**
		 * A transaction was answered: perhaps the server is too old to take one.
		 */
		void learn(int rc) {
			if (rc == Code.UNIMPLEMENTED.intValue() || rc == Code.MARSHALLINGERROR.intValue()) {
				this.supported = false;
			}
		}

	}

}
