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
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.github.zklock.zookeeper.local.HeldLocks;
import io.github.zklock.zookeeper.local.LockAttempt;
import io.github.zklock.zookeeper.tasks.BoundedWait;
import io.github.zklock.zookeeper.tasks.MendedTasks;

/**
 * The end of a provider: nobody comes in any more, those who wait are sent away, those
 * who hold a lock may finish for a while, and what they have left in ZooKeeper is
 * deleted.
 */
final class ProviderShutdown {

	private static final Duration CLEAN_UP = Duration.ofSeconds(1);

	private final LockEngine engine;

	private final OutageLog outages;

	private final Collection<LockAttempt> attempts;

	private final HeldLocks held;

	private final AtomicReference<State> state = new AtomicReference<>(State.NOT_BEGUN);

	ProviderShutdown(LockEngine engine, OutageLog outages, Collection<LockAttempt> attempts, HeldLocks held) {
		this.engine = engine;
		this.outages = outages;
		this.attempts = attempts;
		this.held = held;
	}

	boolean hasBegun() {
		return this.state.get() != State.NOT_BEGUN;
	}

	/**
	 * Return whether nothing is waited for any more.
	 */
	boolean isOver() {
		return this.state.get() == State.OVER;
	}

	/**
	 * Shut down, unless that has begun, and wait for it on the calling thread. An
	 * interrupt shortens both times.
	 * @param grace how long locks may still be held
	 */
	void await(Duration grace) {
		if (begin()) {
			BoundedWait.unlessInterrupted(this.held.whenNone(), grace);
			this.held.revokeAll();
			BoundedWait.unlessInterrupted(this.engine.endWhenClean(), CLEAN_UP);
			end();
		}
	}

	/**
	 * Shut down, unless that has begun, without waiting for it.
	 * @param grace how long locks may still be held
	 * @return what ends when {@link #await} would return
	 */
	CompletableFuture<Void> start(Duration grace) {
		if (!begin()) {
			return CompletableFuture.completedFuture(null);
		}
		MendedTasks tasks = this.engine.tasks();
		return tasks.within(TimeUnit.MILLISECONDS.convert(grace), this.held.whenNone(), null)
			.thenComposeAsync((none) -> {
				this.held.revokeAll();
				return tasks.within(CLEAN_UP.toMillis(), this.engine.endWhenClean(), null);
			}, tasks::handOver)
			.thenRun(this::end);
	}

	private boolean begin() {
		if (!this.state.compareAndSet(State.NOT_BEGUN, State.BEGUN)) {
			return false;
		}
		this.outages.stop();
		this.attempts.forEach((attempt) -> attempt.refused("the lock provider is shutting down"));
		this.engine.cache().close();
		return true;
	}

	private void end() {
		this.state.set(State.OVER);
		this.engine.tellWhatIsLeft();
	}

	private enum State {

		NOT_BEGUN, BEGUN, OVER

	}

}
