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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.queue.AttemptFailures;
import io.github.zklock.zookeeper.queue.QueueContender;
import io.github.zklock.zookeeper.session.SessionTracker;
import io.github.zklock.zookeeper.tasks.MendedTasks;
import org.jspecify.annotations.Nullable;

/**
 * One request for a lock, from its arrival to its verdict, with one deadline for
 * everything.
 */
public final class LockAttempt {

	private final MendedTasks tasks;

	private final LockRequest request;

	private final Supplier<byte[]> data;

	private final AttemptFailures failures;

	private final long bound;

	private final CompletableFuture<Verdict> verdict = new CompletableFuture<>();

	private @Nullable Runnable whenWaiting;

	volatile @Nullable LocalQueue queue;

	public LockAttempt(SessionTracker tracker, MendedTasks tasks, LockRequest request, Supplier<byte[]> data,
			Duration tryTimeout) {
		this.tasks = tasks;
		this.request = request;
		this.data = data;
		this.failures = new AttemptFailures(request, tracker, tasks);
		this.bound = request.waitTime().isZero() ? request.withWait(tryTimeout).waitNanos() : request.waitNanos();
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

	LocalHandOff.Holder asHolder() {
		return new LocalHandOff.Holder(this.request, this.data, this.failures.start());
	}

	public Duration waitingFor() {
		return Duration.ofNanos(this.failures.waitedNanos());
	}

	boolean isTry() {
		return this.request.waitTime().isZero();
	}

	/**
	 * Return how long it may take, in nanoseconds.
	 */
	public long bound() {
		return this.bound;
	}

	public boolean isDecided() {
		return this.verdict.isDone();
	}

	/**
	 * The place where it waits.
	 */
	void waitsIn(LocalQueue place) {
		this.queue = place;
	}

	/**
	 * Somebody wants to know when it begins to wait. To be said before it enters a queue.
	 */
	public void tellWhenWaiting(@Nullable Runnable whenWaiting) {
		this.whenWaiting = whenWaiting;
	}

	/**
	 * It waits for more than the reply to a request. Called under the lock of its queue.
	 */
	void keptWaiting() {
		Runnable told = this.whenWaiting;
		if (told != null && !isDecided()) {
			this.whenWaiting = null;
			this.tasks.callBack(told);
		}
	}

	/**
	 * Wait for the verdict on the calling thread.
	 */
	public ZooKeeperLockHandle await() {
		try {
			// The verdict may be there already, and would be taken without a look at
			// this.
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
			return heldOrThrow(get());
		}
		catch (TimeoutException ex) {
			expire();
			return heldOrThrow(this.verdict.join());
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

	/**
	 * Return the lock to whoever is about to use it. That thread may have stood still
	 * since the grant, so it has to look itself.
	 */
	public ZooKeeperLockHandle heldOrThrow(Verdict result) {
		ZooKeeperLockHandle handle = result.handleOrThrow();
		if (!handle.deliver()) {
			throw this.failures.unavailable("the session ended before the lock could be used; try again");
		}
		return handle;
	}

	public CompletableFuture<Verdict> verdict() {
		return this.verdict;
	}

	private Verdict get() throws InterruptedException, TimeoutException, ExecutionException {
		if (this.bound == Long.MAX_VALUE) {
			return this.verdict.get();
		}
		return this.verdict.get(Math.max(this.bound - this.failures.waitedNanos(), 0), TimeUnit.NANOSECONDS);
	}

	/**
	 * End the attempt by itself when its time is over.
	 */
	public void expireInTime() {
		if (this.bound != Long.MAX_VALUE) {
			try {
				var timer = this.tasks.schedule(this::expire, this.bound, TimeUnit.NANOSECONDS);
				this.verdict.whenComplete((result, failure) -> timer.cancel(false));
			}
			catch (RejectedExecutionException ex) {
				refused("the lock provider is closed");
			}
		}
	}

	/**
	 * The time to wait is over.
	 */
	public void expire() {
		LocalQueue place = this.queue;
		if (place != null) {
			place.expire(this);
		}
		else {
			fail(this.failures::noAnswer);
		}
	}

	/**
	 * Nobody waits for the verdict any more. A lock that was granted is released.
	 */
	public void cancel() {
		leave(this.failures::interrupted);
		this.verdict.thenAccept(Verdict::releaseQuietly);
	}

	/**
	 * Say that the lock cannot be had.
	 */
	public void refused(String reason) {
		leave(() -> this.failures.unavailable(reason));
	}

	/**
	 * Look again for a lost event.
	 */
	public void recheck() {
		LocalQueue place = this.queue;
		if (place != null) {
			place.recheck(this);
		}
	}

	private void leave(Supplier<LockException> failure) {
		LocalQueue place = this.queue;
		if (place != null) {
			place.leave(this, failure);
		}
		else {
			fail(failure);
		}
	}

	/**
	 * Hold the lock.
	 */
	void granted(ZooKeeperLockHandle handle) {
		Verdict result = new Verdict(handle, null);
		// It may be repeated.
		if (!this.verdict.complete(result) && !result.equals(this.verdict.getNow(null))) {
			handle.releaseAsync();
		}
	}

	/**
	 * Do not hold the lock.
	 */
	void fail(Supplier<LockException> failure) {
		this.verdict.complete(new Verdict(null, failure));
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other;
	}

	// The same in every run of a simulation, for the order in which all are told.
	@Override
	public int hashCode() {
		return 31 * Long.hashCode(this.failures.start()) + this.request.key().hashCode();
	}

	/**
	 * Do not hold the lock, because others do.
	 * @param holder who does, once that is known
	 * @param loser the place in the queue, if it had one of its own
	 */
	void notAcquired(CompletableFuture<Optional<LockHolder>> holder, @Nullable QueueContender loser) {
		holder.thenAccept(
				(found) -> fail(() -> this.failures.notAcquired(found, (loser != null) ? loser.keeping() : null)));
	}

	/**
	 * How an attempt ended. The exception is made by whoever throws it, so that its trace
	 * shows the caller.
	 *
	 * @param handle the lock, if it was granted
	 * @param failure why it was not
	 */
	public record Verdict(@Nullable ZooKeeperLockHandle handle, @Nullable Supplier<LockException> failure) {

		public ZooKeeperLockHandle handleOrThrow() {
			if (this.handle != null) {
				return this.handle;
			}
			if (this.failure != null) {
				throw this.failure.get();
			}
			throw new IllegalStateException("Neither a lock nor a reason");
		}

		/**
		 * Release a lock that nobody has used.
		 */
		public void releaseQuietly() {
			if (this.handle != null) {
				this.handle.forgo();
			}
		}

	}

}
