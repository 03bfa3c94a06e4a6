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

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.github.zklock.zookeeper.node.AtLeastStamp;
import io.github.zklock.zookeeper.node.QueueListing;
import io.github.zklock.zookeeper.node.ReplyCode;
import org.apache.zookeeper.CreateMode;
import org.jspecify.annotations.Nullable;

/**
 * Lets the first contender wait until the stamps of other locks have expired. If its own
 * lock keeps the key for a minimum time, it leaves a stamp before it holds the lock.
 * Other processes count the time from the stamp. So a stamp with a late or unknown
 * confirmation is replaced by one that allows for more delay.
 */
final class AtLeastGate implements Gate {

	private static final long FIRST_SLACK_MS = 100;

	private final Place place;

	private final MinimumHolds holds;

	private final StampMemory stamps;

	// Of others, in the last listing.
	private List<AtLeastStamp> seen = List.of();

	private @Nullable AtLeastStamp blocking;

	private long blockingUntil;

	private @Nullable Future<?> wake;

	private @Nullable AtLeastStamp own;

	private boolean confirmed;

	private long slack = FIRST_SLACK_MS;

	private int count;

	private long sentAt;

	private long doneAt;

	AtLeastGate(Place place, MinimumHolds holds) {
		this.place = place;
		this.holds = holds;
		this.stamps = holds.stamps();
	}

	// The time of a stamp counts from its first sight.
	@Override
	public void noteQueue(QueueListing queue) {
		this.seen = queue.stamps();
		this.blocking = null;
		if (this.seen.isEmpty()) {
			return;
		}
		long now = now();
		this.blockingUntil = now;
		for (AtLeastStamp stamp : this.seen) {
			long end = now + this.stamps.remaining(stamp.name(), stamp.nanos(), now);
			if (end - this.blockingUntil > 0 && stamp.excludes(this.place.request.mode())) {
				this.blocking = stamp;
				this.blockingUntil = end;
			}
		}
	}

	@Override
	public boolean isClosed() {
		return keptFor() != null;
	}

	// Of several stamps the one that lasts longest.
	@Override
	public @Nullable Duration keptFor() {
		return (this.blocking != null && this.blockingUntil - now() > 0) ? this.blocking.atLeast() : null;
	}

	// The one in the last listing. Only another listing shows that it is gone.
	@Override
	public @Nullable String obstacle() {
		return (this.blocking != null) ? this.place.path(this.blocking.name()) : null;
	}

	@Override
	public boolean ensurePassed() {
		String stamp = obstacle();
		if (stamp != null) {
			if (this.place.waitBehindOthers()) {
				listWhenOver();
				this.place.ahead().watch(List.of(stamp), false);
			}
			return false;
		}
		removeOver();
		return ensureStamped();
	}

	private void listWhenOver() {
		stopWaiting();
		this.wake = this.place.schedule(this.place::list, Math.max(this.blockingUntil - now(), 0));
	}

	private void stopWaiting() {
		if (this.wake != null) {
			this.wake.cancel(false);
		}
	}

	private void removeOver() {
		List<AtLeastStamp> over = this.seen;
		this.seen = List.of();
		for (AtLeastStamp stamp : over) {
			if (this.stamps.remaining(stamp.name(), stamp.nanos()) <= 0) {
				this.holds.remove(this.place.directory, stamp);
			}
		}
	}

	// Create a stamp unless there is a valid one for a lock that is granted now, or it
	// needs none. The contender lists the queue again after the reply.
	private boolean ensureStamped() {
		if (this.place.request.lockAtLeastFor().isZero()) {
			return true;
		}
		if (this.own != null && !this.confirmed) {
			return false;
		}
		this.doneAt = now();
		if (this.own != null && this.doneAt - this.sentAt <= TimeUnit.MILLISECONDS.toNanos(this.own.slack())) {
			return true;
		}
		if (this.own != null) {
			this.holds.remove(this.place.directory, this.own);
			allowMoreDelay();
		}
		create();
		return false;
	}

	private void create() {
		AtLeastStamp created = AtLeastStamp.of(this.place.name, ++this.count, this.place.request, this.slack);
		this.own = created;
		this.confirmed = false;
		this.sentAt = now();
		this.place.services.names().remember(created.name(), this.place.directory, this.place.session.generation());
		this.stamps.remaining(created.name(), created.nanos(), this.sentAt);
		this.place.session.create(this.place.path(created.name()), this.place.data, this.place.acls.nodes(),
				CreateMode.PERSISTENT, (rc) -> {
					if (this.place.mutex.isBroken()) {
						this.holds.remove(this.place.directory, created);
					}
					this.place.mutex.runReply(() -> onReplyToStamp(rc, created));
				});
	}

	private void onReplyToStamp(int rc, AtLeastStamp created) {
		ReplyCode reply = ReplyCode.of(rc);
		if (reply == ReplyCode.OK) {
			this.confirmed = true;
			if (this.place.isWaitOver()) {
				this.holds.remove(this.place.directory, created);
			}
		}
		else {
			this.own = null;
			this.stamps.forget(created.name());
			if (reply.isOfServer()) {
				this.place.services.names().forget(created.name());
			}
			else {
				this.holds.remove(this.place.directory, created);
				allowMoreDelay();
			}
		}
		this.place.locked(() -> this.place.onReply(rc, this.place::list, this.place::list));
	}

	private void allowMoreDelay() {
		this.slack = Math.min(this.slack * 2, AtLeastStamp.MAX_SLACK_MS);
	}

	@Override
	public @Nullable Obligation obligation() {
		return (this.own != null) ? this.holds.of(this.place.node(), this.own, this.doneAt) : null;
	}

	// The stamp of a lock that is held has to stay.
	@Override
	public void placeEnded(boolean granted) {
		stopWaiting();
		if (this.own != null && !granted && this.confirmed) {
			this.holds.remove(this.place.directory, this.own);
		}
	}

	private long now() {
		return this.place.services.tasks().nanoTime();
	}

}
