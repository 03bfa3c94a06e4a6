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
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.github.zklock.zookeeper.node.QueueListing;
import org.jspecify.annotations.Nullable;

/**
 * What a place has to pass between the first place in the queue and the lock, such as the
 * record of a run. A gate belongs to one place and runs under its mutex.
 */
public interface Gate {

	/**
	 * Return whether the place must see the queue before it enters it.
	 */
	default boolean mustSeeQueueFirst() {
		return false;
	}

	/**
	 * Read the queue, and what the gate has to know, before the place enters the queue.
	 * The gate may refuse the place instead.
	 * @param listed takes the names in the queue, or {@code null} if it cannot be read
	 */
	default void readQueue(Consumer<@Nullable List<String>> listed) {
		throw new IllegalStateException("This gate does not have to see the queue first");
	}

	/**
	 * Take note of a listing of the queue.
	 */
	default void noteQueue(QueueListing queue) {
	}

	/**
	 * Return whether the gate is known to be closed for now.
	 */
	default boolean isClosed() {
		return false;
	}

	/**
	 * Pass the gate, now or soon. Called whenever the place is first, until it holds the
	 * lock. A gate that opens later lets the place {@linkplain Place#passGates() try
	 * again}.
	 * @return whether it is passed
	 */
	boolean ensurePassed();

	/**
	 * Return for how many nanoseconds the request must not end although its time is over.
	 */
	default long grace() {
		return 0;
	}

	/**
	 * Return the path of the node that keeps the gate closed, if there is one.
	 */
	default @Nullable String obstacle() {
		return null;
	}

	/**
	 * Return the minimum time of the lock that keeps the gate closed, if there is one.
	 */
	default @Nullable Duration keptFor() {
		return null;
	}

	/**
	 * Called when the place does not wait any more.
	 * @param granted whether it holds the lock
	 */
	default void placeEnded(boolean granted) {
	}

	/**
	 * Return what the lock owes that is granted now, if it owes anything.
	 */
	default @Nullable Obligation obligation() {
		return null;
	}

	/**
	 * Makes the gates of one kind.
	 */
	@FunctionalInterface
	interface Source {

		/**
		 * Return the gate of a place, or {@code null} if it has none of this kind.
		 */
		@Nullable Gate gate(Place place);

	}

	/**
	 * What a lock owes because its place has passed a gate. It is settled at the release.
	 */
	interface Obligation {

		/**
		 * Called when the lock is held, before a request has it.
		 */
		default void lockHeld() {
		}

		/**
		 * Called if no request has used the lock, before its node is deleted.
		 */
		default void lockUnused() {
		}

		/**
		 * Called at the release. Return whether the node has to stay for now; it is
		 * deleted by this object later.
		 */
		default boolean keepsNode() {
			return false;
		}

		/**
		 * Delete the node of the lock in a way of its own. Called once.
		 * @param onLoss runs if the node was gone before, so that the lock was lost
		 * @return a future that ends when the node is gone, or {@code null} if it is
		 * deleted like any other
		 */
		default @Nullable CompletableFuture<@Nullable Void> deleteNode(Runnable onLoss) {
			return null;
		}

	}

}
