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

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import org.jspecify.annotations.Nullable;

/**
 * The local queues of the keys that are in use.
 */
final class LocalQueues {

	private final Contenders contenders;

	private final CachedNodes cachedNodes;

	private final HeldLocks held;

	private final boolean strict;

	private final LongAdder requeued = new LongAdder();

	final ConcurrentMap<Place, LocalQueue> queues = new ConcurrentHashMap<>();

	LocalQueues(Contenders contenders, CachedNodes cachedNodes, HeldLocks held, boolean strict) {
		this.contenders = contenders;
		this.cachedNodes = cachedNodes;
		this.held = held;
		this.strict = strict;
	}

	/**
	 * Return the request as it can be met: a node that stands for one request alone is
	 * not kept for the next one.
	 */
	LockRequest accept(LockRequest request) {
		return (this.strict && request.cache()) ? request.withCache(false) : request;
	}

	/**
	 * Let a request wait together with those that may follow one another on one node, or
	 * alone.
	 */
	void enter(LockAttempt attempt) {
		LockRequest request = attempt.request();
		if (this.strict || request.permits() > 1 || QueuePlace.standsAlone(request)) {
			new LocalQueue(this.contenders, this.cachedNodes, this.held, this.requeued, request.mode(), (idle) -> {
			}).enter(attempt);
			return;
		}
		Place place = new Place(request.key(), request.mode());
		LocalQueue queue = this.queues.computeIfAbsent(place, this::create);
		while (!queue.enter(attempt)) {
			this.queues.remove(place, queue);
			queue = this.queues.computeIfAbsent(place, this::create);
		}
	}

	/**
	 * Take a lock by a node that is kept, if nobody has to be asked or waited for. The
	 * calling thread looks at the lease last.
	 * @param owner says who asks
	 * @return the lock, or {@code null} if the request has to {@linkplain #enter enter}
	 */
	@Nullable ZooKeeperLockHandle takeCached(LockRequest request, OwnerData owner) {
		LocalQueue queue = request.cache() ? this.queues.get(new Place(request.key(), request.mode())) : null;
		ZooKeeperLockHandle handle = (queue != null) ? queue.handOff().grantAtOnce(request, owner) : null;
		return (handle != null && handle.state() != LockState.LOST) ? handle : null;
	}

	/**
	 * Return how many requests had to queue again.
	 */
	long requeued() {
		return this.requeued.sum();
	}

	/**
	 * Return how many hold or want a key without a node of their own in ZooKeeper.
	 */
	int withoutNode(String key) {
		return this.queues.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().key().equals(key))
			.mapToInt((entry) -> entry.getValue().withoutNode())
			.sum();
	}

	private LocalQueue create(Place place) {
		return new LocalQueue(this.contenders, this.cachedNodes, this.held, this.requeued, place.mode(),
				(queue) -> this.queues.remove(place, queue));
	}

	/**
	 * Where requests wait together: one node of each kind stands for all of them.
	 *
	 * @param key the key
	 * @param mode the mode, which the name of the node shows
	 */
	private record Place(String key, LockMode mode) {

	}

}
