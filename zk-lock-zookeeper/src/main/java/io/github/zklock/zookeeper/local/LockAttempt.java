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
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.node.LockPaths;
import io.github.zklock.zookeeper.node.NodeAcls;
import io.github.zklock.zookeeper.node.OwnerData;
import io.github.zklock.zookeeper.queue.AttemptFailures;
import io.github.zklock.zookeeper.queue.Place;
import io.github.zklock.zookeeper.session.SessionTracker;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import org.jspecify.annotations.Nullable;

/**
 * One request for a lock, from its arrival to its verdict. One deadline applies to all of
 * its steps.
 */
public final class LockAttempt {

	private final EngineTasks tasks;

	private final LockRequest request;

	private final Supplier<byte[]> data;

	private final AttemptFailures failures;

	private final NodeAcls acls;

	private final long bound;

	private final CompletableFuture<Verdict> verdict = new CompletableFuture<>();

	private @Nullable Runnable whenWaiting;

	private volatile boolean overdue;

	// Counted by the periodic check.
	private int failedSteps;

	// In which the request waits, once it has entered it.
	volatile @Nullable LocalQueue queue;

	public LockAttempt(SessionTracker tracker, EngineTasks tasks, LockPaths paths, LockRequest request,
			Supplier<byte[]> data, Duration tryTimeout) {
		this.tasks = tasks;
		this.request = request;
		this.data = data;
		this.failures = new AttemptFailures(request, tracker, tasks);
		this.bound = request.waitTime().isZero() ? request.withWait(tryTimeout).waitNanos() : request.waitNanos();
		this.acls = askForAcls(paths);
	}

	// The clock of the attempt runs already while the application is asked.
	private NodeAcls askForAcls(LockPaths paths) {
		try {
			return paths.askForAcls(this.request.key());
		}
		catch (Throwable ex) {
			throw this.failures.noAcl(ex);
		}
	}

	public LockRequest request() {
		return this.request;
	}

	public AttemptFailures failures() {
		return this.failures;
	}

	byte[] data() {
		return this.data.get();
	}

	NodeAcls acls() {
		return this.acls;
	}

	LocalHolder asHolder() {
		return new LocalHolder(this.request, this.data, this.failures.start());
	}

	public Duration waitingFor() {
		return Duration.ofNanos(this.failures.waitedNanos());
	}

	boolean isTry() {
		return this.request.waitTime().isZero();
	}

	/** Return how long the request may take, in nanoseconds. */
	public long bound() {
		return this.bound;
	}

	public boolean isDecided() {
		return this.verdict.isDone();
	}

	/** Set what runs when the request begins to wait. Called before it enters a queue. */
	public void onWaiting(Runnable whenWaiting) {
		this.whenWaiting = whenWaiting;
	}

	/** Report that the request has begun to wait. Called under the mutex of its queue. */
	void reportWaiting() {
		Runnable listener = this.whenWaiting;
		if (listener != null && !isDecided()) {
			this.whenWaiting = null;
			this.tasks.callBack(listener);
		}
	}

	public ZooKeeperLockHandle await() {
		try {
			// A completed future returns its result without a check of the interrupt.
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
			return heldOrThrow(awaitVerdict());
		}
		catch (InterruptedException ex) {
			cancel();
			Thread.currentThread().interrupt();
			throw this.failures.interrupted();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("A verdict is never exceptional", ex);
		}
	}

	private Verdict awaitVerdict() throws InterruptedException, ExecutionException {
		try {
			long left = Math.max(this.bound - this.failures.waitedNanos(), 0);
			return this.verdict.get(left, TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			expire();
			return this.verdict.get();
		}
	}

	/**
	 * Return the lock, or throw. Called by the thread that is going to use the lock: it
	 * may have been paused since the grant, so it checks the lease itself.
	 */
	public ZooKeeperLockHandle heldOrThrow(Verdict result) {
		ZooKeeperLockHandle handle = result.handleOrThrow();
		if (!handle.deliver()) {
			throw this.failures.unavailable("it was lost before it could be used; try again");
		}
		return handle;
	}

	public CompletableFuture<Verdict> verdict() {
		return this.verdict;
	}

	/** Schedule the timeout of the attempt, if it has one. */
	public void expireInTime() {
		if (this.bound != Long.MAX_VALUE) {
			expireIn(this.bound, () -> endUnavailable("the lock provider is closed"));
		}
	}

	/** End the attempt. Called when its timeout is over. */
	public void expire() {
		LocalQueue entered = this.queue;
		if (entered == null || !entered.expire(this)) {
			leave(this.failures::noAnswer);
		}
	}

	/**
	 * Let the attempt wait on, once, although its time is over.
	 * @return whether it does: not a second time, and not when the engine has ended
	 */
	boolean waitOn(long nanos) {
		if (this.overdue) {
			return false;
		}
		this.overdue = expireIn(nanos, () -> {
		});
		return this.overdue;
	}

	private boolean expireIn(long nanos, Runnable atEnd) {
		Future<?> timer = this.tasks.later(this::expire, nanos, atEnd);
		if (timer != null) {
			this.verdict.whenComplete((result, failure) -> timer.cancel(false));
		}
		return timer != null;
	}

	/** Return whether the attempt waits on although its time is over. */
	boolean isOverdue() {
		return this.overdue;
	}

	/** End the attempt because its caller has gone, and release what was granted. */
	public void cancel() {
		leave(this.failures::interrupted);
		this.tasks.whenEnded(this.verdict, () -> this.verdict.join().releaseUnused());
	}

	/** End the attempt because the lock is unavailable. */
	public void endUnavailable(String reason) {
		leave(() -> this.failures.unavailable(reason));
	}

	/** End the attempt because there is no connection to ZooKeeper. */
	public void endWithoutConnection() {
		leave(this.failures::noConnection);
	}

	/** Check the watched node, in case its event was lost. */
	public void checkWatchedNode() {
		LocalQueue entered = this.queue;
		if (entered != null) {
			entered.checkWatchedNode(this);
		}
	}

	private void leave(Supplier<LockException> failure) {
		LocalQueue left;
		do {
			left = this.queue;
			if (left == null) {
				fail(failure);
			}
			else {
				left.leave(this, failure);
			}
			// It may have entered a queue just now.
		}
		while (this.queue != left);
	}

	/**
	 * Count a step that has failed meanwhile. A second one ends the request, since it may
	 * be the reason.
	 * @return whether it waits on
	 */
	public boolean countFailedStep() {
		this.failedSteps++;
		if (this.failedSteps > 1) {
			leave(() -> this.failures.unavailable("a step of the lock engine has failed twice meanwhile"));
		}
		return !isDecided();
	}

	void granted(ZooKeeperLockHandle handle) {
		Verdict result = new Verdict(handle, null);
		if (!this.verdict.complete(result)) {
			handle.releaseUnused();
		}
	}

	void fail(Supplier<LockException> failure) {
		this.verdict.complete(new Verdict(null, failure));
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other;
	}

	// Equal in every run of a simulation, so that sets have the same order.
	@Override
	public int hashCode() {
		return 31 * Long.hashCode(this.failures.start()) + this.request.key().hashCode();
	}

	/**
	 * Complete the attempt once the holder of the lock is known.
	 * @param holder the holder of the lock, if it can be found
	 * @param loser the place of the attempt, if it had one
	 * @param refusal why nodes of this client are left beside it, if they are
	 */
	void notAcquired(CompletableFuture<Optional<LockHolder>> holder, @Nullable Place loser, @Nullable String refusal) {
		if (refusal != null) {
			fail(() -> this.failures.undeleted(refusal));
			return;
		}
		// Read now, under the mutex of the queue.
		Duration kept = (loser != null) ? loser.keptFor() : null;
		this.tasks.whenEnded(holder, () -> {
			Optional<LockHolder> found = holder.join();
			fail(() -> this.failures.notAcquired(found, kept));
		});
	}

	/**
	 * The end of an attempt. The exception is created when it is thrown, so that its
	 * stack trace shows the caller.
	 *
	 * @param handle the lock, if it was granted
	 * @param failure creates the exception if it was not
	 */
	public record Verdict(@Nullable ZooKeeperLockHandle handle, @Nullable Supplier<LockException> failure) {

		public ZooKeeperLockHandle handleOrThrow() {
			if (this.handle == null) {
				throw Objects.requireNonNull(this.failure).get();
			}
			return this.handle;
		}

		/** Release a lock that was never used. */
		public void releaseUnused() {
			if (this.handle != null) {
				this.handle.releaseUnused();
			}
		}

	}

	/**
	 * A holder of the lock in this process.
	 *
	 * @param request the request
	 * @param data returns the owner data, which other processes can read
	 * @param start the time of the request, by the clock of the engine
	 */
	record LocalHolder(LockRequest request, Supplier<byte[]> data, long start) {

		/** Return a description for messages, at a time of that clock. */
		LockHolder describe(long now) {
			return OwnerData.read(this.data.get(), Duration.ofNanos(now - this.start));
		}

	}

}
