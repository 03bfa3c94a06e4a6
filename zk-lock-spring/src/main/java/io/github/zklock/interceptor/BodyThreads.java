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

package io.github.zklock.interceptor;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/**
 * The threads on which the body of a guarded publisher is executing, as far as Reactor
 * reports them. These are the thread that subscribes or requests, and the threads of its
 * schedulers that run what the body has scheduled. Cancelling a publisher does not stop
 * them, so its lock has to stay until they have left. They do not run under the lock. A
 * shared source, for example with {@code cache()}, calls the operators of its other
 * subscribers on them too.
 */
final class BodyThreads {

	private static final ThreadLocal<@Nullable BodyThreads> CURRENT = new ThreadLocal<>();

	// Each copy of this class has a hook of its own.
	private static final String HOOK = BodyThreads.class.getName() + "@"
			+ Integer.toHexString(System.identityHashCode(BodyThreads.class));

	private static final Runnable NOTHING = () -> {
	};

	private volatile @Nullable BodyThreads outer;

	// With whether a scheduler has lent the thread to the body alone. Guarded by itself.
	private final Map<Thread, Boolean> inside = new HashMap<>();

	private @Nullable Runnable onceLeft;

	private volatile boolean ended;

	private boolean hooked;

	BodyThreads(@Nullable BodyThreads outer) {
		this.outer = goingOn(outer);
		requireHook();
	}

	// Other code may remove the hooks of Reactor at any time, as tests do.
	private void requireHook() {
		BodyThreads before = CURRENT.get();
		set(this);
		try {
			Schedulers.onSchedule(NOTHING);
		}
		finally {
			set(before);
		}
		if (!this.hooked) {
			Schedulers.onScheduleHook(HOOK, BodyThreads::schedule);
		}
	}

	static @Nullable BodyThreads ofThread() {
		return goingOn(CURRENT.get());
	}

	// What continues after the end of a body, like its next call, is not nested in it.
	private static @Nullable BodyThreads goingOn(@Nullable BodyThreads body) {
		BodyThreads found = body;
		while (found != null && found.ended) {
			found = found.outer;
		}
		return found;
	}

	private static Runnable schedule(Runnable task) {
		BodyThreads current = CURRENT.get();
		if (current != null) {
			current.hooked = true;
		}
		BodyThreads body = goingOn(current);
		return (body != null) ? () -> body.within(true, task) : task;
	}

	/**
	 * Run a part of the body.
	 */
	void run(Runnable part) {
		within(false, part);
	}

	private void within(boolean lent, Runnable part) {
		BodyThreads outer = outer();
		if (outer != null) {
			outer.within(lent, () -> count(lent, part));
		}
		else {
			count(lent, part);
		}
	}

	private @Nullable BodyThreads outer() {
		BodyThreads outer = goingOn(this.outer);
		this.outer = outer;
		return outer;
	}

	private void count(boolean lent, Runnable part) {
		boolean entered;
		synchronized (this.inside) {
			entered = this.inside.putIfAbsent(Thread.currentThread(), lent) == null;
		}
		try {
			as(this, part);
		}
		finally {
			if (entered) {
				leave();
			}
		}
	}

	private void leave() {
		Runnable action = null;
		synchronized (this.inside) {
			this.inside.remove(Thread.currentThread());
			if (this.inside.isEmpty()) {
				action = this.onceLeft;
				this.onceLeft = null;
			}
		}
		if (action != null) {
			action.run();
		}
	}

	/**
	 * Run what is not part of the body on a thread of the body, which may come back. What
	 * it schedules is not the body's.
	 */
	void leaveTo(Runnable part) {
		as(outer(), part);
	}

	/**
	 * The lock of the body is released: what its threads still do needs none.
	 */
	void end() {
		this.ended = true;
		outer();
	}

	/**
	 * Run an action when no thread is in the body: now, or on the last one that leaves.
	 */
	void onceLeft(Runnable action) {
		synchronized (this.inside) {
			if (!this.inside.isEmpty()) {
				this.onceLeft = action;
				return;
			}
		}
		action.run();
	}

	/**
	 * Return whether a thread other than the calling one is in the body.
	 * @param atWork whether to count only those that work for the body, and do not just
	 * come back from having subscribed or requested
	 */
	boolean hasOthers(boolean atWork) {
		synchronized (this.inside) {
			return this.inside.entrySet()
				.stream()
				.anyMatch((entry) -> entry.getKey() != Thread.currentThread() && (!atWork || entry.getValue()));
		}
	}

	private static void as(@Nullable BodyThreads body, Runnable part) {
		BodyThreads before = CURRENT.get();
		set(body);
		try {
			part.run();
		}
		finally {
			set(before);
		}
	}

	private static void set(@Nullable BodyThreads body) {
		if (body != null) {
			CURRENT.set(body);
		}
		else {
			CURRENT.remove();
		}
	}

}
