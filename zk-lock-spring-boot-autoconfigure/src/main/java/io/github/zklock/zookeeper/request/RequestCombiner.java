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
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.zookeeper.tasks.MendedTasks;
import io.github.zklock.zookeeper.tasks.MendedTasks.Mending;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of a session. Each goes out at once as long as few others are under
 * way; those that come while many are wait for the next answer, and then go out together.
 */
public final class RequestCombiner {

	private static final int WINDOW = 4;

	private final ZooKeeper zooKeeper;

	private final MendedTasks tasks;

	private final Mending mending;

	private final Queue<CombinableRequest> arrived = new ConcurrentLinkedQueue<>();

	private final Queue<RequestBatch> answered = new ConcurrentLinkedQueue<>();

	private final ListingSizes listings = new ListingSizes();

	// One thread sends at a time, without a lock: the client runs callbacks inside of its
	// own ones once it has ended. What follows belongs to that thread.
	private final AtomicInteger rounds = new AtomicInteger();

	private final Queue<CombinableRequest> waiting = new ArrayDeque<>();

	private @Nullable RequestBatch next;

	private int underWay;

	// Until the server turns out to be too old to take one.
	private volatile boolean transactions = true;

	/**
	 * Create a combiner.
	 * @param tasks take steps with a reply, and repeat what has failed
	 */
	public RequestCombiner(ZooKeeper zooKeeper, MendedTasks tasks) {
		this.zooKeeper = zooKeeper;
		this.tasks = tasks;
		this.mending = tasks.guard(this::sendWhatMayGo);
	}

	/** Send a request, now or with the next ones. */
	public void send(CombinableRequest request) {
		this.arrived.add(request);
		sendWhatMayGo();
	}

	/** Nothing of a batch is under way any more. */
	void answered(RequestBatch batch) {
		try {
			this.answered.add(batch);
		}
		catch (Throwable ex) {
			this.tasks.guard(() -> answered(batch)).failed(ex);
		}
		sendWhatMayGo();
	}

	/**
	 * Take a step with a reply, which may send again.
	 */
	void reply(Runnable step) {
		this.tasks.reply(step);
	}

	/**
	 * A transaction was answered: perhaps the server does not know any.
	 */
	void learn(int rc) {
		if (rc == Code.UNIMPLEMENTED.intValue() || rc == Code.MARSHALLINGERROR.intValue()) {
			this.transactions = false;
		}
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
			this.underWay--;
			this.answered.remove();
		}
	}

	private void fill(RequestBatch batch) {
		for (Iterator<CombinableRequest> requests = this.waiting.iterator(); requests.hasNext();) {
			CombinableRequest request = requests.next();
			if (!this.transactions) {
				requests.remove();
				RequestBatch.sendAlone(request, this.zooKeeper, () -> {
				});
				continue;
			}
			if (this.underWay >= WINDOW || !batch.hasRoomFor(request)) {
				break;
			}
			if (batch.add(request)) {
				requests.remove();
			}
		}
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

}
