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

package io.github.zklock.zookeeper.local;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.EngineParts;
import io.github.zklock.zookeeper.node.OwnerData;
import io.github.zklock.zookeeper.queue.HeldPlaces;
import io.github.zklock.zookeeper.queue.Place;
import io.github.zklock.zookeeper.session.Connection;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.session.LockSession;
import io.github.zklock.zookeeper.session.SessionLease;
import io.github.zklock.zookeeper.tasks.Tasks;
import org.apache.zookeeper.ZooKeeper;

/**
 * An engine without threads, in which time stands still and no request is answered: what
 * several threads do to one key inside of one step.
 */
class LincheckScene implements Tasks, Connection {

	static final int SESSION_TIMEOUT = 30_000;

	static final LockRequest REQUEST = LockRequest.of("key");

	private static final LockRequest CACHED = REQUEST.withCache(true);

	private static final String DIRECTORY = "/locks/key";

	private static final String CONTENDER = "z1-1-";

	private static final String NAME = CONTENDER + "k-lock-0000000000";

	private static final SilentZooKeeper CLIENT = SilentZooKeeper.create();

	private final HeldLocks held;

	private final Queue<String> deleted = new ConcurrentLinkedQueue<>();

	private final Queue<Runnable> handedOver = new ConcurrentLinkedQueue<>();

	private final EngineParts engine;

	private final LocalQueues queues;

	private final LockSession session;

	private final Queue<Runnable> scheduled = new ConcurrentLinkedQueue<>();

	private Runnable listing;

	private volatile long now;

	private boolean failing;

	// Lincheck sees the locks of the queues, which a map makes, only if it has seen one
	// that is made elsewhere.
	private final ReentrantLock seen = new ReentrantLock();

	LincheckScene() {
		this(Duration.ofSeconds(2));
	}

	/**
	 * Create a scene.
	 * @param tick the tick of the servers: a long one leaves the session no lease
	 */
	LincheckScene(Duration tick) {
		CLIENT.begin(this);
		this.engine = EngineParts.of(this, this);
		this.held = this.engine.held();
		this.queues = this.engine.queues();
		this.session = new LockSession(CLIENT, SessionLease.Terms.of(Duration.ofMillis(SESSION_TIMEOUT), tick),
				this.engine.tasks(), this.engine.paths());
		this.session.lease().nodeCreated(0);
	}

	/**
	 * Return a scene in which a node is kept that nobody holds the lock by.
	 */
	static LincheckScene keeping() {
		return new LincheckScene().keep();
	}

	LincheckScene keep() {
		grant(enter(CACHED)).releaseAsync();
		answerListing();
		return this;
	}

	/** Interrupt the connection. */
	void disconnect() {
		CLIENT.disconnect();
	}

	EngineParts engine() {
		return this.engine;
	}

	LockSession session() {
		return this.session;
	}

	HeldLocks held() {
		return this.held;
	}

	LocalQueues queues() {
		return this.queues;
	}

	/**
	 * Let a request wait for the key. There is no session to enter a queue in.
	 */
	LockAttempt enter(LockRequest request) {
		LockAttempt attempt = new LockAttempt(this.engine.tracker(), this.engine.tasks(), this.engine.paths(), request,
				() -> new byte[0], Duration.ofSeconds(1));
		this.queues.enter(attempt);
		return attempt;
	}

	/**
	 * Let the first who waits have the lock by a node that is first in ZooKeeper, behind
	 * which nobody else waits.
	 */
	ZooKeeperLockHandle grant(LockAttempt first) {
		LocalQueue queue = first.queue;
		queue.mutex().run(() -> begin(queue, queue.newTurn(place())));
		answerListing();
		return first.verdict().join().handle();
	}

	/** Let a turn begin, as a place that is first does. */
	static void begin(LocalQueue queue, Turn turn) {
		queue.handOff().takeOver(turn);
		queue.handOff().grantFirst(turn);
	}

	/** Return a place that is first in ZooKeeper. */
	Place place() {
		return HeldPlaces.of(this.engine.services(), node(), REQUEST);
	}

	LockNode node() {
		return new LockNode(this.session, DIRECTORY, CONTENDER, DIRECTORY + "/" + NAME, 1, 0);
	}

	/**
	 * Take the lock by a node that was released before and is kept.
	 */
	ZooKeeperLockHandle takeAtOnce() {
		return this.queues.takeAtOnce(CACHED, new OwnerData("test", "test", false, () -> null));
	}

	/** Return the turn whose node is kept. */
	Turn kept() {
		return this.engine.cache().turns.iterator().next();
	}

	/** Return how many nodes were to be deleted. */
	int deleted() {
		return this.deleted.size();
	}

	void deleted(String path) {
		this.deleted.add(path);
	}

	void asked(Consumer<List<String>> answer) {
		this.listing = () -> answer.accept(List.of(NAME));
	}

	/** Answer a request for the nodes of the key, if there was one. */
	void answerListing() {
		if (this.listing != null) {
			this.listing.run();
			this.listing = null;
		}
	}

	/** Return whether there is a request for the nodes of the key. */
	boolean isAsked() {
		return this.listing != null;
	}

	/** Let the next use of the timer fail. */
	void failTimer() {
		this.failing = true;
	}

	void pass(Duration time) {
		this.now += time.toNanos();
	}

	/** Do what was left for later. */
	void runScheduled() {
		for (Runnable step = this.scheduled.poll(); step != null; step = this.scheduled.poll()) {
			step.run();
		}
	}

	/** Do what was left to other threads. */
	void runHandedOver() {
		for (Runnable step = this.handedOver.poll(); step != null; step = this.handedOver.poll()) {
			step.run();
		}
	}

	@Override
	public long nanoTime() {
		return this.now;
	}

	@Override
	public Future<?> schedule(Runnable action, long delay) {
		if (this.failing) {
			this.failing = false;
			throw new OutOfMemoryError("The timer fails for the test");
		}
		this.scheduled.add(action);
		return new CompletableFuture<>();
	}

	@Override
	public void repeat(Runnable action, long pause) {
	}

	@Override
	public void callBack(Runnable code) {
		code.run();
	}

	@Override
	public void onStepThread(Runnable step) {
		this.handedOver.add(step);
	}

	@Override
	public boolean isReplyThread() {
		return true;
	}

	@Override
	public void stop() {
	}

	@Override
	public ZooKeeper handle() {
		return CLIENT;
	}

	@Override
	public boolean isConnected() {
		return false;
	}

	@Override
	public boolean isStopped() {
		return false;
	}

	@Override
	public String namespace() {
		return "";
	}

	@Override
	public String servers() {
		return "";
	}

	@Override
	public long timeoutMillis() {
		return SESSION_TIMEOUT;
	}

	@Override
	public void reset() {
	}

	@Override
	public void listen(Listener listener) {
	}

	@Override
	public void unlisten(Listener listener) {
	}

}
