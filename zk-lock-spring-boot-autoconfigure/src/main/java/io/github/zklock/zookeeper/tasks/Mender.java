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

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has what has failed inside of the engine done again, by a thread that has a whole stack
 * and a moment later, when there may be memory and threads again. To take note of a
 * failure takes no memory.
 */
public final class Mender {

	private static final Logger logger = LoggerFactory.getLogger(Mender.class);

	private static final long PAUSE_MS = 50;

	// From then on it waits for the next periodic look.
	private static final int PROMPT_REPETITIONS = 20;

	private final Timer timer;

	private final AtomicReference<@Nullable Mending> first = new AtomicReference<>();

	private final AtomicBoolean planned = new AtomicBoolean();

	private final Runnable round = this::mend;

	/**
	 * Create an instance.
	 * @param timer runs something later, or fails
	 */
	public Mender(Timer timer) {
		this.timer = timer;
	}

	/**
	 * Return a step that is repeated if it fails, until it succeeds.
	 */
	public Mending guard(Runnable step) {
		return new Mending(this, step);
	}

	/**
	 * Take a step, now or, if it fails, as soon as it succeeds.
	 */
	public void surely(Runnable step) {
		guard(step).run();
	}

	/**
	 * Do everything again that has failed.
	 */
	void mend() {
		this.planned.set(false);
		Mending next = this.first.getAndSet(null);
		while (next != null) {
			next = next.repeat();
		}
	}

	/**
	 * Take note of what has to be done again.
	 */
	void add(Mending mending) {
		postpone(mending);
		if (mending.failures() <= PROMPT_REPETITIONS && StackRoom.isLeft(StackRoom.MANY)
				&& this.planned.compareAndSet(false, true)) {
			try {
				this.timer.run(this.round, PAUSE_MS);
			}
			catch (RejectedExecutionException ex) {
				logger.debug("Nothing is repeated after the end");
			}
			catch (Throwable ex) {
				// The next periodic look comes without help.
				this.planned.set(false);
			}
		}
	}

	/**
	 * Leave something to the next periodic look, which takes hardly any stack.
	 */
	void postpone(Mending mending) {
		do {
			mending.follow(this.first.get());
		}
		while (!this.first.compareAndSet(mending.next(), mending));
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
	 * Runs something later.
	 */
	@FunctionalInterface
	public interface Timer {

		void run(Runnable action, long delayMillis);

	}

	/**
	 * A step that is repeated until it succeeds.
	 */
	public static final class Mending implements Runnable {

		private final Mender mender;

		private final Runnable step;

		private final AtomicBoolean due = new AtomicBoolean();

		private @Nullable Mending next;

		private volatile int failures;

		Mending(Mender mender, Runnable step) {
			this.mender = mender;
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
			if (this.due.compareAndSet(false, true)) {
				this.mender.add(this);
			}
			if (this.failures++ == 0) {
				Mender.log("A step inside of the lock engine has failed and will be made good", failure);
			}
		}

		/**
		 * Take the step some time, by another thread.
		 */
		public void postpone() {
			if (this.due.compareAndSet(false, true)) {
				this.mender.postpone(this);
			}
		}

		int failures() {
			return this.failures;
		}

		/**
		 * Take the step again.
		 * @return what is to be repeated after it
		 */
		@Nullable Mending repeat() {
			Mending following = this.next;
			this.next = null;
			this.due.set(false);
			run();
			return following;
		}

		void follow(@Nullable Mending other) {
			this.next = other;
		}

		@Nullable Mending next() {
			return this.next;
		}

	}

}
