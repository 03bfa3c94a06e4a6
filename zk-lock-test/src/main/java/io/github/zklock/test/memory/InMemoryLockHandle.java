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

package io.github.zklock.test.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockLoss;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.spi.RecordedRun;
import io.github.zklock.core.spi.RunOutcome;
import io.github.zklock.core.spi.UnusedRelease;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A place in a queue, and the handle of the lock once it is granted. Its state changes
 * under the monitor of the queues only.
 */
final class InMemoryLockHandle implements LockHandle, UnusedRelease, RecordedRun {

	private static final Logger logger = LoggerFactory.getLogger(InMemoryLockHandle.class);

	private final LockQueues queues;

	private final InMemoryNode node;

	private final LockRequest request;

	private final String thread = Thread.currentThread().getName();

	private final long since;

	private final CompletableFuture<Void> settled = new CompletableFuture<>();

	private final List<Consumer<? super LockHandle>> listeners = new ArrayList<>();

	private volatile @Nullable Supplier<LockException> refusal;

	private volatile long keptUntil;

	private volatile long fencingToken;

	private volatile LockState state = LockState.HELD;

	private volatile RunOutcome outcome = RunOutcome.DONE;

	private volatile int attempt = 1;

	InMemoryLockHandle(LockQueues queues, InMemoryNode node, LockRequest request) {
		this.queues = queues;
		this.node = node;
		this.request = request;
		this.since = queues.clock().nanoTime();
	}

	@Override
	public String key() {
		return this.request.key();
	}

	@Override
	public LockMode mode() {
		return this.request.mode();
	}

	@Override
	public long fencingToken() {
		return this.fencingToken;
	}

	@Override
	public LockState state() {
		return this.state;
	}

	@Override
	public @Nullable LockLoss loss() {
		return (this.state == LockState.LOST) ? LockLoss.SESSION_ENDED : null;
	}

	@Override
	public void onLost(Consumer<? super LockHandle> listener) {
		synchronized (this.queues) {
			if (!isOver()) {
				this.listeners.add(listener);
			}
		}
		if (this.state == LockState.LOST) {
			tell(listener);
		}
	}

	@Override
	public void release() {
		this.queues.release(this);
	}

	@Override
	public CompletableFuture<Void> releaseAsync() {
		release();
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public CompletableFuture<Void> releaseUnused() {
		endsAs(RunOutcome.UNUSED);
		this.queues.forgo(this);
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public void endsAs(RunOutcome ended) {
		if (this.outcome != RunOutcome.UNUSED) {
			this.outcome = ended;
		}
	}

	@Override
	public int attempt() {
		return this.attempt;
	}

	void attempt(int number) {
		this.attempt = number;
	}

	@Override
	public RunOutcome outcome() {
		return this.outcome;
	}

	LockRequest request() {
		return this.request;
	}

	InMemoryNode node() {
		return this.node;
	}

	LockHolder holder() {
		return this.node.holder(this.thread, this.request.name(), waited());
	}

	Duration waited() {
		return this.queues.clock().since(this.since);
	}

	/**
	 * Is done when the lock is granted, or {@linkplain #refusal() refused}.
	 */
	CompletableFuture<Void> settled() {
		return this.settled;
	}

	boolean isSettled() {
		return this.settled.isDone();
	}

	/**
	 * Return why the lock was refused, if it was.
	 */
	@Nullable LockException refusal() {
		Supplier<LockException> refusal = this.refusal;
		return (refusal != null) ? refusal.get() : null;
	}

	void refuse(Supplier<LockException> refusal) {
		this.refusal = refusal;
		end();
		this.settled.complete(null);
	}

	void grant(long token) {
		this.fencingToken = token;
		this.keptUntil = this.queues.clock().nanoTime() + this.request.lockAtLeastFor().toNanos();
		this.settled.complete(null);
	}

	/**
	 * Return whether the lock is held, and not a place in the queue or only kept.
	 */
	boolean isInUse() {
		return isSettled() && !isOver();
	}

	void keepNoLonger() {
		this.keptUntil = this.queues.clock().nanoTime();
	}

	/**
	 * Return how long the key stays taken, even after the release of this handle.
	 */
	long keptNanos() {
		return isSettled() ? this.keptUntil - this.queues.clock().nanoTime() : 0;
	}

	boolean end() {
		return turn(LockState.RELEASED);
	}

	boolean lose() {
		return isSettled() && turn(LockState.LOST);
	}

	void connected(boolean connected) {
		turn(connected ? LockState.HELD : LockState.UNCERTAIN);
	}

	void tellLost() {
		List<Consumer<? super LockHandle>> told;
		synchronized (this.queues) {
			told = List.copyOf(this.listeners);
			this.listeners.clear();
		}
		told.forEach(this::tell);
	}

	private boolean isOver() {
		return this.state == LockState.LOST || this.state == LockState.RELEASED;
	}

	private boolean turn(LockState next) {
		if (isOver()) {
			return false;
		}
		this.state = next;
		return true;
	}

	private void tell(Consumer<? super LockHandle> listener) {
		try {
			listener.accept(this);
		}
		catch (Throwable ex) {
			logger.warn("Listener {} of the lost {} failed", listener.getClass().getName(), this, ex);
		}
	}

	@Override
	public String toString() {
		return this.request + ": token " + this.fencingToken + " " + this.state;
	}

}
