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

package io.github.zklock.zookeeper.queue;

import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockMode;
import io.github.zklock.zookeeper.node.AtLeastStamp;
import io.github.zklock.zookeeper.node.QueueListing;
import io.github.zklock.zookeeper.node.QueueNode;
import io.github.zklock.zookeeper.node.QueuePlace;
import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.queue.AtLeastTimes.AtLeastTime;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.session.LockSession;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the first contender and its lock. It waits until the stamps of other
 * locks have expired, and then leaves a stamp of its own, if its lock keeps the key for a
 * minimum time, or the record of its run.
 */
final class AtLeastGate {

	private final Contenders shared;

	private final String directory;

	private final LockMode mode;

	private final QueueContender contender;

	private final @Nullable StampCreation creation;

	private final @Nullable TickGate tick;

	private @Nullable QueueNode holder;

	private @Nullable AtLeastStamp blocking;

	private long blockingUntil;

	private @Nullable Future<?> wake;

	AtLeastGate(Contenders shared, String directory, LockMode mode, QueueContender contender,
			@Nullable StampCreation creation, @Nullable TickGate tick) {
		this.shared = shared;
		this.directory = directory;
		this.mode = mode;
		this.contender = contender;
		this.creation = creation;
		this.tick = tick;
	}

	/**
	 * Look at a listing. The time of a stamp counts from its first sight.
	 * @return whether a holder or a stamp is in the way
	 */
	boolean look(QueueListing queue) {
		this.holder = queue.nearestAhead().isEmpty() ? null : queue.holder();
		look(queue.stamps());
		return this.holder != null || keeping() != null;
	}

	private void look(List<AtLeastStamp> stamps) {
		this.blocking = null;
		long longest = 0;
		long now = this.shared.tasks().nanoTime();
		for (AtLeastStamp stamp : stamps) {
			long remaining = this.shared.times().stamps().remaining(stamp);
			if (remaining > longest && stamp.excludes(this.mode)) {
				this.blocking = stamp;
				this.blockingUntil = now + remaining;
				longest = remaining;
			}
		}
	}

	/**
	 * Return the stamp that is known to be in the way, of several the one that lasts
	 * longest.
	 */
	@Nullable AtLeastStamp keeping() {
		return (this.blockingUntil - this.shared.tasks().nanoTime() > 0) ? this.blocking : null;
	}

	/**
	 * Return the path of the holder or stamp that is known to be in the way.
	 */
	@Nullable String obstacle() {
		return (this.holder != null) ? this.directory + "/" + this.holder.name() : blockingPath();
	}

	private @Nullable String blockingPath() {
		return (this.blocking != null) ? this.directory + "/" + this.blocking.name() : null;
	}

	/**
	 * Let the contender hold the lock, now or as soon as possible. Called when it is
	 * first in the queue.
	 * @param stamps the stamps of others
	 * @param outcome is told whether the contender has to wait
	 * @param watch watches the stamp that is in the way
	 */
	void enter(List<AtLeastStamp> stamps, Outcome outcome, PredecessorWatch watch) {
		String path = blockingPath();
		if (this.blocking != null && path != null) {
			if (outcome.queued(this.contender)) {
				await(this.blocking);
				watch.arm(List.of(path), false);
			}
			return;
		}
		for (AtLeastStamp stamp : stamps) {
			if (this.shared.times().stamps().remaining(stamp) <= 0) {
				this.shared.times().remove(this.directory, stamp);
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
	 * Return the minimum time of the granted lock, if it has one.
	 */
	@Nullable AtLeastTime atLeast(LockNode node) {
		return (this.creation != null) ? this.creation.atLeast(node) : null;
	}

	/**
	 * Called when the contender has ended.
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
		long remaining = Math.max(this.shared.times().stamps().remaining(stamp), 0);
		try {
			this.wake = this.shared.tasks()
				.schedule(() -> this.contender.locked(this.contender::list), remaining, TimeUnit.NANOSECONDS);
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

	/**
	 * Creates the stamp of a contender that is first in the queue, before it holds the
	 * lock. Other processes count the minimum time from the stamp. So a stamp with a late
	 * or unknown confirmation is replaced by one that allows for more delay.
	 */
	static final class StampCreation {

		private static final long FIRST_SLACK_MS = 100;

		private static final long MAX_SLACK_MS = 30_000;

		private final Contenders shared;

		private final LockSession session;

		private final QueuePlace place;

		private final String name;

		private final QueueContender contender;

		private final QueueMutex lock;

		private final String directory;

		private long slack = FIRST_SLACK_MS;

		private int count;

		private @Nullable AtLeastStamp stamp;

		private boolean confirmed;

		private long sentAt;

		private long doneAt;

		private boolean ended;

		/**
		 * Return the creation of the stamp, or {@code null} if the place needs none.
		 */
		static @Nullable StampCreation of(Contenders shared, LockSession session, QueuePlace place, String name,
				QueueContender contender, QueueMutex lock) {
			return place.atLeast().isZero() ? null : new StampCreation(shared, session, place, name, contender, lock);
		}

		private StampCreation(Contenders shared, LockSession session, QueuePlace place, String name,
				QueueContender contender, QueueMutex lock) {
			this.shared = shared;
			this.session = session;
			this.place = place;
			this.name = name;
			this.contender = contender;
			this.lock = lock;
			this.directory = shared.paths().directory(place.key());
		}

		/**
		 * Return whether there is a valid stamp for a lock that is granted now. If not,
		 * create one; the contender lists the queue again after the reply.
		 */
		boolean isDone() {
			if (this.stamp != null && !this.confirmed) {
				return false;
			}
			this.doneAt = this.shared.tasks().nanoTime();
			if (this.stamp != null && this.doneAt - this.sentAt <= TimeUnit.MILLISECONDS.toNanos(this.stamp.slack())) {
				return true;
			}
			if (this.stamp != null) {
				this.shared.times().remove(this.directory, this.stamp);
				allowMoreDelay();
			}
			create();
			return false;
		}

		/**
		 * Return the minimum time of the granted lock.
		 */
		@Nullable AtLeastTime atLeast(LockNode node) {
			return (this.stamp != null) ? this.shared.times().of(node, this.stamp, this.doneAt) : null;
		}

		/**
		 * Called when the contender has ended.
		 * @param granted whether it holds the lock, so that the stamp has to stay
		 */
		void end(boolean granted) {
			this.ended = true;
			if (this.stamp != null && granted) {
				this.shared.names().forget(this.stamp.name());
			}
			else if (this.stamp != null && this.confirmed) {
				this.shared.times().remove(this.directory, this.stamp);
			}
		}

		private void create() {
			AtLeastStamp created = AtLeastStamp.of(this.name, ++this.count, this.place, this.slack);
			String path = this.directory + "/" + created.name();
			this.stamp = created;
			this.confirmed = false;
			this.sentAt = this.shared.tasks().nanoTime();
			this.shared.names().remember(created.name());
			this.shared.times().stamps().seen(created, this.sentAt);
			this.session.zooKeeper()
				.create(path, this.place.data(), this.shared.paths().acl(path), CreateMode.PERSISTENT,
						this.session.replies()
							.created((int rc, String asked, Object context, @Nullable String name,
									@Nullable Stat stat) -> this.lock.reply(() -> replied(rc, created))),
						null);
		}

		private void replied(int rc, AtLeastStamp created) {
			switch (ReplyCode.of(rc)) {
				case OK -> {
					this.confirmed = true;
					if (this.ended) {
						this.shared.times().remove(this.directory, created);
					}
				}
				case NO_NODE, REFUSED -> {
					this.stamp = null;
					this.shared.times().stamps().forget(created.name());
					this.shared.names().forget(created.name());
				}
				case SESSION_ENDED, UNKNOWN -> {
					this.stamp = null;
					this.shared.times().stamps().forget(created.name());
					this.shared.janitor().sweep(this.directory, created.name());
					allowMoreDelay();
				}
			}
			this.contender.locked(() -> this.contender.onReply(rc, this.contender::list, this.contender::list));
		}

		private void allowMoreDelay() {
			this.slack = Math.min(this.slack * 2, MAX_SLACK_MS);
		}

	}

}
