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

import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

/**
 * A step that is repeated until it succeeds.
 */
final class Mending implements Runnable {

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
	void failed(Throwable failure) {
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
	void postpone() {
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
