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

package io.github.zklock.zookeeper;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * One request for a lock, from its arrival to its verdict, over as many sessions as it
 * takes, with one deadline for everything.
 */
final class LockAttempt implements QueueOutcome {

	private final LockEngine engine;

	private final LockRequest request;

	private final QueuePlace place;

	private final HeldLocks held;

	private final AttemptFailures failures;

	private final long bound;

	private final AttemptLock lock;

	private final CompletableFuture<LockVerdict> verdict = new CompletableFuture<>();

	private final Runnable begin = this::begin;

	private @Nullable QueueContender contender;

	private boolean waitingInQueue;

	private boolean decided;

	LockAttempt(LockEngine engine, LockRequest request, byte[] data, Duration tryTimeout, HeldLocks held) {
		this.engine = engine;
		this.request = request;
		this.lock = new AttemptLock(engine);
		this.failures = new AttemptFailures(request);
		this.place = QueuePlace.of(request, data);
		this.held = held;
		this.bound = request.waitTime().isZero() ? request.withWait(tryTimeout).waitNanos() : request.waitNanos();
	}

	/**
	 * Enter the queue, now or when there is a session.
	 */
	void begin() {
		this.lock.run(() -> {
			if (this.decided) {
				return;
			}
			this.waitingInQueue = false;
			LockSession session = this.engine.tracker().usable();
			if (session == null) {
				awaitSession();
				return;
			}
			this.contender = new QueueContender(this.engine, session, this.place, this.lock, this);
			this.contender.enter();
		});
	}

	/**
	 * Wait for the verdict on the calling thread.
	 */
	ZooKeeperLockHandle await() {
		try {
			long left = this.bound - this.failures.waitedNanos();
			LockVerdict result = (this.bound == Long.MAX_VALUE) ? this.verdict.get()
					: this.verdict.get(Math.max(left, 0), TimeUnit.NANOSECONDS);
			return result.handleOrThrow();
		}
		catch (TimeoutException ex) {
			expire();
			return this.verdict.join().handleOrThrow();
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

	CompletableFuture<LockVerdict> verdict() {
		return this.verdict;
	}

	/**
	 * End the attempt by itself when its time is over.
	 */
	void expireInTime() {
		if (this.bound != Long.MAX_VALUE) {
			try {
				var timer = this.engine.schedule(this::expire, this.bound, TimeUnit.NANOSECONDS);
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
	void expire() {
		this.lock.run(() -> {
			if (this.decided) {
				return;
			}
			QueueContender current = this.contender;
			boolean contended = this.waitingInQueue;
			withdraw();
			if (contended && current != null && current.session().isUsable()) {
				HolderLookup.of(current).thenAccept((holder) -> fail(() -> this.failures.notAcquired(holder, current)));
			}
			else {
				fail(this.failures::noAnswer);
			}
		});
	}

	/**
	 * Nobody waits for the verdict any more. A lock that was granted is released.
	 */
	void cancel() {
		this.lock.run(() -> {
			if (!this.decided) {
				giveUp(this.failures::interrupted);
			}
		});
		this.verdict.thenAccept(LockVerdict::releaseQuietly);
	}

	@Override
	public void refused(String reason) {
		this.lock.run(() -> {
			if (!this.decided) {
				giveUp(() -> this.failures.unavailable(reason));
			}
		});
	}

	@Override
	public void denied(String code, String path) {
		giveUp(() -> this.failures.denied(code, path));
	}

	@Override
	public void mismatched(int permitsInUse) {
		giveUp(() -> this.failures.otherPermits(permitsInUse));
	}

	@Override
	public void granted(QueueContender winner) {
		this.waitingInQueue = false;
		if (!this.engine.heartbeat(winner.session()).admits(winner)) {
			return;
		}
		ZooKeeperLockHandle handle = new ZooKeeperLockHandle(this.engine, this.request, winner, this.held);
		this.decided = true;
		winner.handOver();
		handle.begin();
		this.verdict.complete(new LockVerdict(handle, null));
	}

	@Override
	public boolean queued(QueueContender waiting) {
		this.waitingInQueue = true;
		if (this.request.waitTime().isZero()) {
			expire();
			return false;
		}
		return true;
	}

	@Override
	public void vanished() {
		begin();
	}

	/**
	 * Look again for a lost event.
	 */
	void recheck() {
		this.lock.run(() -> {
			if (this.contender != null) {
				this.contender.recheck();
			}
		});
	}

	private void awaitSession() {
		if (this.request.waitTime().isZero()) {
			giveUp(this.failures::noConnection);
		}
		else {
			this.engine.tracker().whenUsable(this.begin);
		}
	}

	private void withdraw() {
		this.decided = true;
		this.engine.tracker().forget(this.begin);
		if (this.contender != null) {
			this.contender.abandon();
		}
	}

	private void giveUp(Supplier<LockException> failure) {
		withdraw();
		fail(failure);
	}

	private void fail(Supplier<LockException> failure) {
		this.verdict.complete(new LockVerdict(null, failure));
	}

}
