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

import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockMode;
import org.jspecify.annotations.Nullable;

/**
 * What stands between the first in the queue and its lock: the stamps of others, until
 * their time is over, and what it has to leave beside the queue before: a stamp of its
 * own, if it is to keep the key for a time, or the record of its run.
 */
final class AtLeastGate {

	private final LockEngine engine;

	private final String directory;

	private final LockMode mode;

	private final QueueContender contender;

	private final @Nullable StampCreation creation;

	private final @Nullable TickGate tick;

	private @Nullable AtLeastStamp blocking;

	private long blockingUntil;

	private @Nullable Future<?> wake;

	AtLeastGate(LockEngine engine, String directory, LockMode mode, QueueContender contender,
			@Nullable StampCreation creation, @Nullable TickGate tick) {
		this.engine = engine;
		this.directory = directory;
		this.mode = mode;
		this.contender = contender;
		this.creation = creation;
		this.tick = tick;
	}

	/**
	 * Look at the stamps of others, whoever is first: how old they are counts from here.
	 */
	void look(List<AtLeastStamp> stamps) {
		this.blocking = null;
		long longest = 0;
		long now = this.engine.nanoTime();
		for (AtLeastStamp stamp : stamps) {
			long remaining = this.engine.stamps().remaining(stamp);
			if (remaining > longest && stamp.excludes(this.mode)) {
				this.blocking = stamp;
				this.blockingUntil = now + remaining;
				longest = remaining;
			}
		}
	}

	/**
	 * Return the stamp that is in the way, as far as this contender has seen: of several
	 * the one that lasts longest.
	 */
	@Nullable AtLeastStamp keeping() {
		return (this.blockingUntil - this.engine.nanoTime() > 0) ? this.blocking : null;
	}

	/**
	 * Return the path of that stamp.
	 */
	@Nullable String blockingPath() {
		return (this.blocking != null) ? this.directory + "/" + this.blocking.name() : null;
	}

	/**
	 * The contender is first in the queue: let it hold the lock, now or as soon as
	 * possible.
	 * @param stamps the stamps of others
	 * @param outcome is told
	 * @param watch sees the end of the stamp that is in the way
	 */
	void enter(List<AtLeastStamp> stamps, QueueOutcome outcome, PredecessorWatch watch) {
		String path = blockingPath();
		if (this.blocking != null && path != null) {
			if (outcome.queued(this.contender)) {
				await(this.blocking);
				watch.arm(List.of(path), false);
			}
			return;
		}
		for (AtLeastStamp stamp : stamps) {
			if (this.engine.stamps().remaining(stamp) <= 0) {
				this.engine.removeStamp(this.directory, stamp);
			}
		}
		if (this.tick != null) {
			this.tick.enter(() -> outcome.granted(this.contender));
		}
		else if (this.creation == null || this.creation.isDone()) {
			outcome.granted(this.contender);
		}
	}

	/**
	 * Return whether a record of the run stays when the lock is gone.
	 */
	boolean leavesRecord() {
		return this.tick != null;
	}

	/**
	 * Return what keeps the key for the lock that is granted, if anything has to.
	 */
	@Nullable AtLeastTime atLeast(LockNode node) {
		return (this.creation != null) ? this.creation.atLeast(node) : null;
	}

	/**
	 * The contender has ended.
	 * @param granted whether it holds the lock, so that its stamp has to stay
	 */
	void end(boolean granted) {
		stopWaiting();
		if (this.creation != null) {
			this.creation.end(granted);
		}
	}

	private void await(AtLeastStamp stamp) {
		stopWaiting();
		long remaining = Math.max(this.engine.stamps().remaining(stamp), 0);
		try {
			this.wake = this.engine.schedule(() -> this.contender.locked(this.contender::list), remaining,
					TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			this.contender.abandon();
		}
	}

	private void stopWaiting() {
		if (this.wake != null) {
			this.wake.cancel(false);
		}
	}

}
