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

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tasks of an engine, of which none is lost: a step that fails, for whatever reason,
 * is taken again until it succeeds, so steps must not mind to be repeated. That is done
 * by a thread that has a whole stack and a moment later, when there may be memory and
 * threads again. To take note of a failure takes no memory.
 */
public final class MendedTasks {

	private static final Logger logger = LoggerFactory.getLogger(MendedTasks.class);

	private static final long PAUSE_MS = 50;

	// From then on it waits for the next periodic look.
	private static final int PROMPT_REPETITIONS = 20;

	private final Tasks tasks;

	private final AtomicReference<@Nullable Mending> firstToMend = new AtomicReference<>();

	private final AtomicBoolean planned = new AtomicBoolean();

	// Not made anew each time, when there may be no memory.
	private final Runnable round = this::mend;

	// Their timers end with these tasks, and what waits for them does not.
	private final Set<Runnable> ends = ConcurrentHashMap.newKeySet();

	public MendedTasks(Tasks tasks) {
		this.tasks = tasks;
	}

	public long nanoTime() {
		return this.tasks.nanoTime();
	}

	public boolean isReplyThread() {
		return this.tasks.isReplyThread();
	}

	/**
	 * Return a step that is repeated if it fails, until it succeeds.
	 */
	public Mending guard(Runnable step) {
		return new Mending(step);
	}

	/**
	 * Take a step, now or, if it fails, as soon as it succeeds.
	 */
	public void surely(Runnable step) {
		guard(step).run();
	}

	/**
	 * Take a step with a reply of ZooKeeper. When a session ends, the client delivers
	 * replies on other threads than its event thread as well, and under locks of its own.
	 */
	public void reply(Runnable step) {
		if (isReplyThread()) {
			step.run();
		}
		else {
			handOver(step);
		}
	}

	/**
	 * Refuse to wait for a lock on a thread that would have to deliver it.
	 */
	public void refuseToBlock() {
		if (isReplyThread()) {
			throw new IllegalStateException("A lock must not be acquired on ZooKeeper's event thread '"
					+ Thread.currentThread().getName() + "', which would have to deliver it: hand the work over to an "
					+ "executor, or use acquireAsync");
		}
	}

	// If there is no thread to be had now, there may be one later.
	public void callBack(Runnable code) {
		surely(() -> this.tasks.callBack(code));
	}

	public void handOver(Runnable step) {
		Mending mending = guard(step);
		surely(() -> this.tasks.handOver(mending));
	}

	public Future<?> schedule(Runnable action, long delay, TimeUnit unit) {
		return this.tasks.schedule(guard(action), unit.toNanos(delay));
	}

	/**
	 * Do something again and again, on a thread on which it may block.
	 */
	public void repeat(Runnable action, long period, TimeUnit unit) {
		Runnable once = () -> {
			try {
				action.run();
			}
			catch (Throwable ex) {
				log("A periodic check failed and will be repeated", ex);
			}
		};
		this.tasks.repeat(guard(() -> {
			mend();
			handOver(once);
		}), unit.toNanos(period));
	}

	/**
	 * Return what ends with the result of something else, or by itself after a time. The
	 * timer that the JVM has for that is shared by all, so anybody may hold it up.
	 * @param otherwise the result after that time
	 */
	public <T extends @Nullable Object> CompletableFuture<T> within(long millis, CompletableFuture<T> result,
			T otherwise) {
		if (result.isDone()) {
			return result;
		}
		CompletableFuture<T> bounded = result.copy();
		Runnable end = () -> bounded.complete(otherwise);
		this.ends.add(end);
		try {
			Future<?> timer = schedule(end, millis, TimeUnit.MILLISECONDS);
			bounded.whenComplete((done, failure) -> {
				timer.cancel(false);
				this.ends.remove(end);
			});
		}
		catch (RejectedExecutionException ex) {
			this.ends.remove(end);
			end.run();
		}
		return bounded;
	}

	public void stop() {
		this.tasks.stop();
		this.ends.forEach(Runnable::run);
	}

	/**
	 * Do everything again that has failed.
	 */
	void mend() {
		this.planned.set(false);
		Mending next = this.firstToMend.getAndSet(null);
		while (next != null) {
			next = next.repeat();
		}
	}

	private void mendSoon() {
		try {
			this.tasks.schedule(this.round, TimeUnit.MILLISECONDS.toNanos(PAUSE_MS));
		}
		catch (RejectedExecutionException ex) {
			logger.debug("Nothing is repeated after the end");
		}
		catch (Throwable ex) {
			// The next periodic look comes without help.
			this.planned.set(false);
		}
	}

	/**
	 * Log what has failed, which may fail for the same reason.
	 */
	public static void log(String message, Throwable failure) {
		try {
			StackRoom.require(StackRoom.MANY);
			logger.warn(message, failure);
		}
		catch (Throwable ex) {
			// What has to be done does not depend on it.
		}
	}

	/**
	 * A step that is repeated until it succeeds.
	 */
	public final class Mending implements Runnable {

		private final Runnable step;

		private final AtomicBoolean due = new AtomicBoolean();

		private @Nullable Mending next;

		private volatile int failures;

		Mending(Runnable step) {
			this.step = step;
		}

		@Override
		public void run() {
			int before = this.failures;
			try {
				this.step.run();
				if (before != 0 && this.failures == before) {
					// The next failure is another one.
					this.failures = 0;
				}
			}
			catch (Throwable ex) {
				failed(ex);
			}
		}

		/**
		 * Something has failed, so the step has to be taken, again or for the first time.
		 */
		public void failed(Throwable failure) {
			if (postpone() && this.failures <= PROMPT_REPETITIONS && StackRoom.isLeft(StackRoom.MANY)
					&& MendedTasks.this.planned.compareAndSet(false, true)) {
				mendSoon();
			}
			if (this.failures++ == 0) {
				log("A step inside of the lock engine has failed and will be made good", failure);
			}
		}

		/**
		 * Leave the step to the next periodic look, which takes hardly any stack.
		 * @return whether it was not left to that already
		 */
		public boolean postpone() {
			if (!this.due.compareAndSet(false, true)) {
				return false;
			}
			do {
				this.next = MendedTasks.this.firstToMend.get();
			}
			while (!MendedTasks.this.firstToMend.compareAndSet(this.next, this));
			return true;
		}

		private @Nullable Mending repeat() {
			Mending following = this.next;
			this.next = null;
			this.due.set(false);
			run();
			return following;
		}

	}

}
