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

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Requests on their way to the one thread that sends. Those that nobody waits for stay
 * until others come, and are ahead of these.
 */
final class RequestInbox {

	private final Queue<CombinableRequest> arrived = new ConcurrentLinkedQueue<>();

	private final Queue<CombinableRequest> later = new ConcurrentLinkedQueue<>();

	// Belongs to the thread that sends.
	private final Queue<CombinableRequest> coming = new ArrayDeque<>();

	private volatile boolean hurrying;

	void add(CombinableRequest request) {
		this.arrived.add(request);
	}

	void addAll(List<CombinableRequest> requests) {
		this.arrived.addAll(requests);
	}

	/**
	 * Add a request that nobody waits for.
	 */
	void addLater(CombinableRequest request) {
		this.later.add(request);
	}

	/**
	 * Let nothing stay.
	 */
	void hurry() {
		this.hurrying = true;
	}

	/**
	 * Move what may go, in its order.
	 */
	void moveTo(Queue<CombinableRequest> waiting) {
		// What these have to follow is there by now.
		moveAll(this.arrived, this.coming);
		if (this.hurrying || !this.coming.isEmpty()) {
			this.hurrying = false;
			moveAll(this.later, waiting);
		}
		moveAll(this.coming, waiting);
	}

	private static void moveAll(Queue<CombinableRequest> from, Queue<CombinableRequest> to) {
		// It is not taken out before it is there, since that may fail.
		for (CombinableRequest request = from.peek(); request != null; request = from.peek()) {
			to.add(request);
			from.remove();
		}
	}

}
