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
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.github.zklock.zookeeper.tasks.EngineTasks;
import io.github.zklock.zookeeper.tasks.Generation;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of a session: at once while few others are under way, otherwise
 * together with others after the next answer.
 */
public final class RequestCombiner {

	private static final int WINDOW = 4;

	private final ZooKeeper zooKeeper;

	private final EngineTasks tasks;

	private final CutListings cuts;

	private final Replies replies;

	private final Generation generation;

	private final Supplier<Boolean> round = () -> {
		sendWhatMayGo();
		return true;
	};

	private final Queue<CombinableRequest> arrived = new ConcurrentLinkedQueue<>();

	private final ListingSizes listings = new ListingSizes();

	// One thread sends at a time. It takes no lock, because a closed client runs
	// callbacks under its own locks. The fields below belong to that thread.
	private final AtomicInteger rounds = new AtomicInteger();

	private final Queue<CombinableRequest> waiting = new ArrayDeque<>();

	private final List<RequestBatch> underWay = new ArrayList<>(WINDOW);

	/**
	 * Create a combiner.
	 * @param tasks run steps with a reply
	 */
	public RequestCombiner(ZooKeeper zooKeeper, EngineTasks tasks) {
		this.zooKeeper = zooKeeper;
		this.tasks = tasks;
		this.cuts = new CutListings(tasks::nanoTime);
		this.replies = new Replies(tasks, this.cuts);
		this.generation = tasks.generation();
	}

	/** Send a request, now or with the next ones. */
	public void send(CombinableRequest request) {
		this.arrived.add(request);
		this.tasks.onPlatformThread(this.round);
	}

	/**
	 * Return the callbacks for all requests of the session.
	 */
	public Replies replies() {
		return this.replies;
	}

	/**
	 * Send a request right before a directory is listed, if its listing may have cut the
	 * connection. If this one is answered and the listing is not, its answer is the
	 * cause.
	 */
	public void guard(String directory) {
		if (this.cuts.isSuspect(directory)) {
			this.zooKeeper.exists(directory, false,
					this.replies.stat((int rc, String path, Object context, @Nullable Stat stat) -> {
						if (rc != Code.CONNECTIONLOSS.intValue()) {
							this.cuts.guarded(directory);
						}
					}), null);
		}
	}

	/**
	 * Return which directories are not to be listed for a while.
	 */
	public CutListings cuts() {
		return this.cuts;
	}

	/**
	 * Run a step with a reply, which may send again.
	 */
	void runReply(Runnable step) {
		this.tasks.run(() -> this.tasks.runReply(step));
	}

	/**
	 * Send what waits. Called when a request has come or a batch is answered, and when
	 * the session is lost.
	 */
	public void sendWhatMayGo() {
		if (this.rounds.getAndIncrement() != 0) {
			return;
		}
		int seen = 1;
		while (seen != 0) {
			this.generation.run(this::sendOrRefuse);
			seen = this.rounds.addAndGet(-seen);
		}
	}

	private void sendOrRefuse() {
		collect();
		while (!this.waiting.isEmpty() && (this.generation.isBroken() ? refuseNext() : sendNext())) {
			// The rest has to wait.
		}
	}

	// A node that was created later would not be looked for any more.
	private boolean refuseNext() {
		CombinableRequest request = this.waiting.remove();
		this.tasks.run(() -> request.fail(Code.CONNECTIONLOSS.intValue()));
		return true;
	}

	private boolean sendNext() {
		RequestBatch batch = new RequestBatch(this, this.zooKeeper);
		fill(batch);
		if (batch.isEmpty()) {
			return false;
		}
		batch.prepare(this.listings.together());
		this.underWay.add(batch);
		batch.send();
		return true;
	}

	private void collect() {
		for (CombinableRequest request = this.arrived.poll(); request != null; request = this.arrived.poll()) {
			this.waiting.add(request);
		}
		for (Iterator<RequestBatch> batches = this.underWay.iterator(); batches.hasNext();) {
			RequestBatch batch = batches.next();
			if (batch.isAnswered()) {
				learn(batch);
				batches.remove();
			}
		}
	}

	private void learn(RequestBatch batch) {
		batch.requests().forEach((request) -> this.listings.seen(request.answerSize()));
		if (batch.isLost()) {
			this.listings.doNotFit();
		}
	}

	private void fill(RequestBatch batch) {
		for (Iterator<CombinableRequest> requests = this.waiting.iterator(); requests.hasNext();) {
			CombinableRequest request = requests.next();
			if (this.underWay.size() >= WINDOW || !batch.hasRoomFor(request)) {
				break;
			}
			if (batch.add(request)) {
				requests.remove();
			}
		}
	}

	/**
	 * Estimates from earlier listings how many fit into one packet. A client closes its
	 * connection when an answer is too large.
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
		 * Called when several at once were not answered, perhaps as they did not fit.
		 */
		void doNotFit() {
			this.widest = Math.min(this.widest * 2, ROOM);
		}

	}

}
