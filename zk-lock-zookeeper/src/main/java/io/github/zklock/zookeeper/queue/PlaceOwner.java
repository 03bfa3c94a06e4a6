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

import java.util.function.Function;

import io.github.zklock.core.LockException;

/**
 * Is notified of what becomes of a place. Called under the mutex of the place.
 */
public interface PlaceOwner {

	/**
	 * Called when no other contender has to go first any more and all gates are passed.
	 * The lock may be held only if {@link Place#ensureConfirmed()} returns {@code true}.
	 * Otherwise this is called again after the reply.
	 * @param place the place, which is still in the queue
	 */
	void placeIsFirst(Place place);

	/**
	 * Called when other contenders are ahead. Withdraws the requests that do not wait for
	 * that, even the last.
	 * @param place the place
	 * @return whether a request still waits for the place
	 */
	boolean placeIsBehindOthers(Place place);

	/**
	 * Withdraw the requests whose time is over, even the last. Called when nothing that
	 * was sent for the place is open.
	 * @param place the place
	 * @return whether a request still waits for the place
	 */
	boolean withdrawOverdue(Place place);

	/**
	 * Called when the place is gone. Another one may be taken.
	 */
	void placeVanished();

	/**
	 * Called when the place cannot get the lock.
	 * @param failure creates the exception for each request
	 */
	void placeRefused(Function<AttemptFailures, LockException> failure);

}
