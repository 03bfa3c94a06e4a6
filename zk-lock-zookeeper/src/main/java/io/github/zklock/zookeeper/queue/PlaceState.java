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

/**
 * What is known of the node of a {@link Place}, from the first look at the queue until
 * the node is deleted. It says what has to be done with the node when the place ends.
 */
public enum PlaceState {

	/** Nothing was asked yet. */
	NEW,

	/** The queue is listed before the place enters it. */
	LOOKING,

	/** The reply to the create has not come yet. */
	CREATING,

	/** The node may exist. */
	UNKNOWN,

	/** The node was not created, for example because its directory is missing. */
	ABSENT,

	/** The node exists, and waits until it is first. */
	QUEUED,

	/** The node is first, and a lock is held with it or about to be granted. */
	HELD,

	/** The node stays first without a lock, for the next one of this process. */
	CACHED,

	/** A lock is held with a node that was cached. */
	HELD_AGAIN,

	/** The node is lost, though its holders may not be notified yet. */
	LOST,

	/** The place was left before a lock was held. A reply may still show its node. */
	LEFT,

	/**
	 * The node was held, and is deleted or about to be, or stays for a minimum time.
	 */
	RELEASED;

	/** Return whether a place may change from this state to the next. */
	boolean leadsTo(PlaceState next) {
		return switch (this) {
			case NEW -> next == LOOKING || next == CREATING || next == LEFT;
			case LOOKING, ABSENT -> next == CREATING || next == LEFT;
			case CREATING -> next == QUEUED || next == UNKNOWN || next == ABSENT || next == LEFT;
			case UNKNOWN -> next == QUEUED || next == CREATING || next == LEFT;
			case QUEUED -> next == HELD || next == LEFT;
			case HELD, HELD_AGAIN -> next == CACHED || next == LOST || next == RELEASED;
			case CACHED -> next == HELD_AGAIN || next == LOST || next == RELEASED;
			case LOST -> next == RELEASED;
			case LEFT, RELEASED -> false;
		};
	}

	/** Return whether the place does not wait in the queue any more. */
	boolean isWaitOver() {
		return compareTo(HELD) >= 0;
	}

	/** Return whether the node was cached at some time, or is lost or deleted. */
	public boolean isCachedOrLater() {
		return compareTo(CACHED) >= 0;
	}

}
