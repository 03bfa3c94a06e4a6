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

import java.util.concurrent.TimeUnit;

import org.apache.zookeeper.CreateMode;
import org.jspecify.annotations.Nullable;

/**
 * The creation of the stamp of a contender that is first in the queue, just before it
 * holds the lock. Others count the time of the lock from the stamp, so a stamp that was
 * confirmed too long after it was asked for, or perhaps not at all, is replaced by
 * another one that allows for more delay.
 */
final class StampCreation {

	private static final long FIRST_SLACK_MS = 100;

	private static final long MAX_SLACK_MS = 30_000;

	private final LockEngine engine;

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
	static @Nullable StampCreation of(LockEngine engine, LockSession session, QueuePlace place, String name,
			QueueContender contender, QueueMutex lock) {
		return place.atLeast().isZero() ? null : new StampCreation(engine, session, place, name, contender, lock);
	}

	private StampCreation(LockEngine engine, LockSession session, QueuePlace place, String name,
			QueueContender contender, QueueMutex lock) {
		this.engine = engine;
		this.session = session;
		this.place = place;
		this.name = name;
		this.contender = contender;
		this.lock = lock;
		this.directory = engine.paths().directory(place.key());
	}

	/**
	 * Return whether there is a stamp that is good for a lock that is granted now. If
	 * not, create one; the contender will look at the queue again.
	 */
	boolean isDone() {
		if (this.stamp != null && !this.confirmed) {
			return false;
		}
		this.doneAt = this.engine.nanoTime();
		if (this.stamp != null && this.doneAt - this.sentAt <= TimeUnit.MILLISECONDS.toNanos(this.stamp.slack())) {
			return true;
		}
		if (this.stamp != null) {
			this.engine.removeStamp(this.directory, this.stamp);
			allowMoreDelay();
		}
		create();
		return false;
	}

	/**
	 * Return what keeps the key for the lock that is granted.
	 */
	@Nullable AtLeastTime atLeast(LockNode node) {
		return (this.stamp != null) ? new AtLeastTime(this.engine, node, this.stamp, this.doneAt) : null;
	}

	/**
	 * The contender has ended.
	 * @param granted whether it holds the lock, so that the stamp has to stay
	 */
	void end(boolean granted) {
		this.ended = true;
		if (this.stamp != null && granted) {
			this.engine.names().forget(this.stamp.name());
		}
		else if (this.stamp != null && this.confirmed) {
			this.engine.removeStamp(this.directory, this.stamp);
		}
	}

	private void create() {
		AtLeastStamp created = AtLeastStamp.of(this.name, ++this.count, this.place, this.slack);
		String path = this.directory + "/" + created.name();
		this.stamp = created;
		this.confirmed = false;
		this.sentAt = this.engine.nanoTime();
		this.engine.names().remember(created.name());
		this.engine.stamps().seen(created, this.sentAt);
		this.session.zooKeeper()
			.create(path, this.place.data(), this.engine.acl(path), CreateMode.PERSISTENT,
					(rc, asked, context, answered) -> this.lock.reply(() -> replied(rc, created)), null);
	}

	private void replied(int rc, AtLeastStamp created) {
		switch (ReplyCode.of(rc)) {
			case OK -> {
				this.confirmed = true;
				if (this.ended) {
					this.engine.removeStamp(this.directory, created);
				}
			}
			case NO_NODE, REFUSED -> {
				this.stamp = null;
				this.engine.stamps().forget(created.name());
				this.engine.names().forget(created.name());
			}
			case SESSION_ENDED, UNKNOWN -> {
				this.stamp = null;
				this.engine.stamps().forget(created.name());
				this.engine.janitor().sweep(this.directory, created.name());
				allowMoreDelay();
			}
		}
		this.contender.locked(() -> this.contender.onReply(rc, this.contender::list, this.contender::list));
	}

	private void allowMoreDelay() {
		this.slack = Math.min(this.slack * 2, MAX_SLACK_MS);
	}

}
