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

package io.github.zklock.zookeeper.tasks;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the steps of an engine. A failed step is repeated until it succeeds, or has failed
 * for half an hour with memory and stack left. So steps must be safe to repeat. Another
 * thread with an empty stack does that a moment later, when there may be memory and
 * threads again. To note a failure takes no memory.
 */
public class RetryingTasks {

	private static final Logger logger = LoggerFactory.getLogger(RetryingTasks.class);

	private static final long PAUSE_MS = 50;

	// Later repetitions wait for the next periodic check.
	private static final int PROMPT_REPETITIONS = 20;

	// With that check, half an hour of other failures than a lack of memory or stack.
	private static final int MOST_REPETITIONS = 900;

	private static final long LOG_AGAIN = TimeUnit.MINUTES.toNanos(1);

	// Each lock makes several steps, so they have no object for it.
	private static final AtomicIntegerFieldUpdater<Retry> DUE = AtomicIntegerFieldUpdater.newUpdater(Retry.class,
			"due");

	private final Tasks tasks;

	private final AtomicReference<@Nullable Retry> firstToRepeat = new AtomicReference<>();

	private final AtomicBoolean planned = new AtomicBoolean();

	// Created early, because later there may be no memory.
	private final Runnable round = this::repeatFailed;

	// Run at the stop, when their timers are gone but callers still wait.
	private final Set<Runnable> ends = ConcurrentHashMap.newKeySet();

	public RetryingTasks(Tasks tasks) {
		this.tasks = tasks;
	}

	public long nanoTime() {
		return this.tasks.nanoTime();
	}

	public boolean isReplyThread() {
		return this.tasks.isReplyThread();
	}

	/**
	 * Return a step that is repeated until it succeeds, or has failed for half an hour. A
	 * failure that lasts longer is a fault of the code.
	 */
	public Retry retried(Runnable step) {
		return new Retry(step, MOST_REPETITIONS);
	}

	/** Return a step that is repeated for ever, as a key stays taken without it. */
	public Retry retriedForEver(Runnable step) {
		return new Retry(step, Integer.MAX_VALUE);
	}

	public void untilItSucceeds(Runnable step) {
		retried(step).run();
	}

	/**
	 * Run a step with a reply of ZooKeeper. When a session ends, the client delivers
	 * replies on other threads than its event thread as well, and under its own locks.
	 */
	public void reply(Runnable step) {
		if (isReplyThread()) {
			step.run();
		}
		else {
			handOver(step);
		}
	}

	/** Throw if the current thread would have to deliver the lock for which it waits. */
	public void refuseToBlock() {
		if (isReplyThread()) {
			throw new IllegalStateException("A lock must not be acquired on ZooKeeper's event thread '"
					+ Thread.currentThread().getName() + "', which would have to deliver it: hand the work over to an "
					+ "executor, or use acquireAsync");
		}
	}

	// Repeated, because there may be no free thread now but one later.
	public void callBack(Runnable code) {
		untilItSucceeds(() -> this.tasks.callBack(code));
	}

	/**
	 * Run a notice of a loss, or of the end of an uncertainty, for user code. It waits
	 * for no other user code.
	 */
	public void notice(Runnable code) {
		untilItSucceeds(() -> this.tasks.notice(code));
	}

	/** Take a step during which other threads may wait for the current one. */
	public <T extends @Nullable Object> T onPlatformThread(Supplier<T> step) {
		return this.tasks.onPlatformThread(step);
	}

	public void handOver(Runnable step) {
		Retry retry = retried(step);
		untilItSucceeds(() -> this.tasks.handOver(retry));
	}

	/**
	 * Run a step after some nanoseconds, unless the engine has ended.
	 * @return the timer, or {@code null} if the engine has ended
	 */
	public @Nullable Future<?> later(Runnable step, long nanos) {
		return later(step, nanos, () -> {
		});
	}

	/**
	 * Run a step after a delay.
	 * @param nanos the delay
	 * @param atEnd runs at once if the engine has ended, instead of the step
	 * @return the timer, or {@code null} if the engine has ended
	 */
	public @Nullable Future<?> later(Runnable step, long nanos, Runnable atEnd) {
		try {
			return this.tasks.schedule(retried(step), nanos);
		}
		catch (RejectedExecutionException ex) {
			atEnd.run();
			return null;
		}
	}

	/**
	 * Run an action periodically, on a thread on which it may block. No run begins before
	 * the one before has ended.
	 */
	public void repeatBlocking(Runnable action, long period, TimeUnit unit) {
		AtomicBoolean running = new AtomicBoolean();
		Retry once = retried(() -> {
			try {
				action.run();
			}
			catch (Throwable ex) {
				log("A periodic check failed and will be repeated", ex);
			}
			finally {
				running.set(false);
			}
		});
		Retry begin = retried(() -> this.tasks.handOver(once));
		this.tasks.repeat(retried(() -> {
			repeatFailed();
			if (running.compareAndSet(false, true)) {
				begin.run();
			}
		}), unit.toNanos(period));
	}

	/**
	 * Run a step when a future has ended, and repeat it after a failure, which a future
	 * would keep to itself.
	 */
	public void whenEnded(CompletableFuture<?> future, Runnable step) {
		Retry retry = retried(step);
		future.whenComplete((result, failure) -> retry.run());
	}

	/**
	 * Return a future that ends with the given one, or otherwise after a time. The JVM's
	 * own timer is shared with other code, which may block it.
	 */
	public <T extends @Nullable Object> CompletableFuture<T> within(long millis, CompletableFuture<T> result,
			T otherwise) {
		if (result.isDone()) {
			return result;
		}
		CompletableFuture<T> bounded = result.copy();
		Runnable end = () -> bounded.complete(otherwise);
		this.ends.add(end);
		Future<?> timer = later(end, TimeUnit.MILLISECONDS.toNanos(millis), end);
		bounded.whenComplete((done, failure) -> {
			if (timer != null) {
				timer.cancel(false);
			}
			this.ends.remove(end);
		});
		return bounded;
	}

	/** Wait for a result, with a bound. An interrupt is restored afterwards. */
	public void awaitUninterruptibly(CompletableFuture<?> result, long millis) {
		long deadline = nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
		boolean interrupted = false;
		while (!await(result, deadline - nanoTime())) {
			interrupted = true;
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/** Wait for a result, with a bound or until an interrupt, which is restored. */
	public void awaitUnlessInterrupted(CompletableFuture<?> result, Duration bound) {
		if (!await(result, TimeUnit.NANOSECONDS.convert(bound))) {
			Thread.currentThread().interrupt();
		}
	}

	private static boolean await(CompletableFuture<?> result, long nanos) {
		try {
			result.get(nanos, TimeUnit.NANOSECONDS);
			return true;
		}
		catch (InterruptedException ex) {
			return false;
		}
		catch (TimeoutException | ExecutionException ex) {
			// The caller looks at the result itself.
			return true;
		}
	}

	public void stop() {
		this.tasks.stop();
		this.ends.forEach(Runnable::run);
	}

	/** Repeat all failed steps. */
	void repeatFailed() {
		this.planned.set(false);
		Retry next = this.firstToRepeat.getAndSet(null);
		while (next != null) {
			next = next.repeat();
		}
	}

	private void repeatSoon() {
		try {
			this.tasks.schedule(this.round, TimeUnit.MILLISECONDS.toNanos(PAUSE_MS));
		}
		catch (RejectedExecutionException ex) {
			logger.debug("Nothing is repeated after the end");
		}
		catch (Throwable ex) {
			// The next periodic check does not need this timer.
			this.planned.set(false);
		}
	}

	/** Log a failure. Logging may fail for the same reason. */
	public static void log(String message, Throwable failure) {
		try {
			StackRoom.require(StackRoom.MANY);
			logger.warn(message, failure);
		}
		catch (Throwable ex) {
			// The engine goes on without the message.
		}
	}

	/** A step that is repeated after a failure. */
	public final class Retry implements Runnable {

		private final Runnable step;

		// 1 if it waits for the next round.
		private volatile int due;

		private @Nullable Retry next;

		private final int most;

		private volatile int failures;

		private volatile long logged;

		Retry(Runnable step, int most) {
			this.step = step;
			this.most = most;
		}

		@Override
		public void run() {
			int before = this.failures;
			try {
				this.step.run();
				if (before != 0 && this.failures == before) {
					// The next failure is a new one, to be logged.
					this.failures = 0;
				}
			}
			catch (Throwable ex) {
				failed(ex);
			}
		}

		/**
		 * Repeat the step soon. Called when it, or a part of it elsewhere, has failed.
		 */
		public void failed(Throwable failure) {
			int before = this.failures;
			if (before >= this.most && !(failure instanceof VirtualMachineError)) {
				this.failures = 0;
				log("A step of the lock engine has failed for half an hour and is given up", failure);
				return;
			}
			if (postpone() && before <= PROMPT_REPETITIONS && StackRoom.isLeft(StackRoom.MANY)
					&& RetryingTasks.this.planned.compareAndSet(false, true)) {
				repeatSoon();
			}
			this.failures = (before < Integer.MAX_VALUE) ? before + 1 : before;
			if (before == 0) {
				log("A step of the lock engine has failed and will be repeated", failure);
			}
			else {
				logAgain(failure);
			}
		}

		private void logAgain(Throwable failure) {
			try {
				long now = nanoTime();
				if (this.failures == 2) {
					this.logged = now;
				}
				else if (now - this.logged >= LOG_AGAIN) {
					this.logged = now;
					log("A step of the lock engine fails again and again and is still repeated", failure);
				}
			}
			catch (Throwable ex) {
				// The engine goes on without the message.
			}
		}

		/**
		 * Leave the step to the next periodic check, which takes hardly any stack.
		 * @return whether it was not postponed already
		 */
		public boolean postpone() {
			if (!DUE.compareAndSet(this, 0, 1)) {
				return false;
			}
			do {
				this.next = RetryingTasks.this.firstToRepeat.get();
			}
			while (!RetryingTasks.this.firstToRepeat.compareAndSet(this.next, this));
			return true;
		}

		private @Nullable Retry repeat() {
			Retry following = this.next;
			this.next = null;
			this.due = 0;
			run();
			return following;
		}

	}

}
