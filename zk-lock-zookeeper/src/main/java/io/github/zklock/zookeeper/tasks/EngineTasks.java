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
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the steps of an engine on its {@link Tasks threads}. No step is repeated: a failed
 * one ends its {@link Generation}. Only what the application waits for is repeated until
 * it succeeds, and the periodic check.
 */
public class EngineTasks {

	private static final Logger logger = LoggerFactory.getLogger(EngineTasks.class);

	private static final long PAUSE_MS = 50;

	private final Tasks tasks;

	private final AtomicReference<@Nullable Answer> firstToRepeat = new AtomicReference<>();

	private final AtomicBoolean checking = new AtomicBoolean();

	private volatile Generation generation = new Generation(this::checkSoon);

	private volatile Runnable check = () -> {
	};

	// Run at the stop, when their timers are gone but callers still wait.
	private final Set<Runnable> ends = ConcurrentHashMap.newKeySet();

	public EngineTasks(Tasks tasks) {
		this.tasks = tasks;
	}

	public Generation generation() {
		return this.generation;
	}

	/** Begin the next generation. Called by the periodic check when one is broken. */
	public void nextGeneration() {
		this.generation = new Generation(this::checkSoon);
	}

	public long nanoTime() {
		return this.tasks.nanoTime();
	}

	public boolean isReplyThread() {
		return this.tasks.isReplyThread();
	}

	/** Run a step on this thread. Its failure ends the present generation. */
	public void run(Runnable step) {
		this.generation.run(step);
	}

	/**
	 * Run a step with a reply of ZooKeeper. When a session ends, the client delivers
	 * replies on other threads than its event thread as well, and under its own locks.
	 */
	public void runReply(Runnable step) {
		if (isReplyThread()) {
			step.run();
		}
		else {
			onStepThread(step);
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

	/** Call the application back. There may be no free thread now but one later. */
	public void callBack(Runnable code) {
		Runnable once = once(code);
		untilDone(() -> this.tasks.callBack(once));
	}

	/**
	 * Run a notice of a loss, or of the end of an uncertainty, for user code. It waits
	 * for no other user code.
	 */
	public void notice(Runnable code) {
		Runnable once = once(code);
		untilDone(() -> this.tasks.notice(once));
	}

	/** Return code that runs only once, as it may be handed over twice. */
	public static Runnable once(Runnable code) {
		AtomicBoolean begun = new AtomicBoolean();
		return () -> {
			if (begun.compareAndSet(false, true)) {
				code.run();
			}
		};
	}

	/** Do what the application waits for, and repeat that until it succeeds. */
	public void untilDone(Runnable step) {
		new Answer(step).run();
	}

	/** Run a step during which other threads may wait for the current one. */
	public <T extends @Nullable Object> T onPlatformThread(Supplier<T> step) {
		return this.tasks.onPlatformThread(step);
	}

	/** Run a step on another thread, where it may wait for the mutex of its queue. */
	public void onStepThread(Runnable step) {
		run(() -> this.tasks.onStepThread(() -> run(step)));
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
			return this.tasks.schedule(() -> run(step), nanos);
		}
		catch (RejectedExecutionException ex) {
			atEnd.run();
			return null;
		}
	}

	/**
	 * Run an action periodically, on a thread on which it may block, and soon after a
	 * step has failed. No run begins before the one before has ended.
	 */
	public void startPeriodicCheck(Runnable action, long period, TimeUnit unit) {
		this.check = () -> {
			run(action);
			this.checking.set(false);
		};
		this.tasks.repeat(this::beginCheck, unit.toNanos(period));
	}

	private void beginCheck() {
		try {
			repeatAnswers();
			if (this.checking.compareAndSet(false, true)) {
				this.tasks.onStepThread(this.check);
			}
		}
		catch (Throwable ex) {
			this.checking.set(false);
			log("The periodic check of the lock engine could not begin, and is repeated", ex);
		}
	}

	// If that fails as well, the next periodic check comes anyway.
	private void checkSoon() {
		try {
			StackRoom.require(StackRoom.MANY);
			this.tasks.schedule(this::beginCheck, TimeUnit.MILLISECONDS.toNanos(PAUSE_MS));
		}
		catch (Throwable ex) {
			logger.debug("No check could be planned");
		}
	}

	/** Run a step for the application when a future has ended. */
	public void whenEnded(CompletableFuture<?> future, Runnable step) {
		Answer answer = new Answer(step);
		future.whenComplete((result, failure) -> answer.run());
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
		repeatAnswers();
		this.ends.forEach(Runnable::run);
	}

	private void repeatAnswers() {
		Answer next = this.firstToRepeat.getAndSet(null);
		while (next != null) {
			next = next.repeat();
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

	/** A step that is repeated after a failure. To note that takes no memory. */
	private final class Answer implements Runnable {

		private final Runnable step;

		private @Nullable Answer next;

		private boolean last;

		Answer(Runnable step) {
			this.step = step;
		}

		@Override
		public void run() {
			try {
				this.step.run();
			}
			catch (Throwable ex) {
				do {
					this.next = EngineTasks.this.firstToRepeat.get();
				}
				while (!EngineTasks.this.firstToRepeat.compareAndSet(this.next, this));
				log("An answer to the application has failed, and is repeated", ex);
				repeatSoon();
			}
		}

		// Without a timer it is repeated once.
		private void repeatSoon() {
			if (!EngineTasks.this.tasks.isStopped()) {
				checkSoon();
			}
			else if (!this.last) {
				this.last = true;
				repeatAnswers();
			}
		}

		private @Nullable Answer repeat() {
			Answer following = this.next;
			this.next = null;
			run();
			return following;
		}

	}

}
