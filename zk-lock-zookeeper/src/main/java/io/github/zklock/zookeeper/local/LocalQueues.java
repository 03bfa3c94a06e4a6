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

package io.github.zklock.zookeeper.local;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.node.OwnerData;
import io.github.zklock.zookeeper.queue.Services;
import org.jspecify.annotations.Nullable;

/**
 * The local queues of the keys that are in use.
 */
public final class LocalQueues {

	private final Services services;

	private final LockCache cache;

	private final HeldLocks held;

	private final boolean strict;

	private final LongAdder requeued = new LongAdder();

	private final ConcurrentMap<QueueKey, LocalQueue> queues = new ConcurrentHashMap<>();

	public LocalQueues(Services services, LockCache cache, HeldLocks held, boolean strict) {
		this.services = services;
		this.cache = cache;
		this.held = held;
		this.strict = strict;
	}

	/**
	 * Return the request without caching if each request needs its own node, which cannot
	 * be used for the next one.
	 */
	public LockRequest accept(LockRequest request) {
		return (this.strict && request.cache()) ? request.withCache(false) : request;
	}

	/**
	 * Let a request wait in the queue of its key and mode, or alone if it needs a node of
	 * its own. After a failed step the periodic check does that again.
	 */
	public void enter(LockAttempt attempt) {
		LockRequest request = attempt.request();
		// A stamp or a record that is written before the grant is for one request only.
		boolean leavesMark = !request.lockAtLeastFor().isZero() || request.tick() != null;
		boolean alone = this.strict || request.permits() > 1 || leavesMark;
		QueueKey queueKey = new QueueKey(request.key(), request.mode());
		boolean entered = false;
		while (!entered && !this.services.tasks().generation().isBroken()) {
			LocalQueue queue = alone ? create(request.mode(), () -> false, (idle) -> {
			}) : this.queues.computeIfAbsent(queueKey, this::create);
			entered = queue.enter(attempt);
			if (!entered) {
				this.queues.remove(queueKey, queue);
			}
		}
	}

	/** Forget all queues. Called after a failed step, when another generation begins. */
	public void renew() {
		this.queues.clear();
	}

	/**
	 * Take a lock with a cached node, if no other request or listing has to come first.
	 * The calling thread checks the lease last.
	 * @param owner describes this process
	 * @return the lock, or {@code null} if the request has to {@linkplain #enter enter}
	 */
	public @Nullable ZooKeeperLockHandle takeAtOnce(LockRequest request, OwnerData owner) {
		LocalQueue queue = request.cache() ? this.queues.get(new QueueKey(request.key(), request.mode())) : null;
		if (queue == null) {
			return null;
		}
		// Before the lock, because it asks the application for its trace.
		Supplier<byte[]> data = owner.of(request);
		ZooKeeperLockHandle handle = queue.handOff().grantAtOnce(request, data);
		return (handle != null && handle.deliver()) ? handle : null;
	}

	/**
	 * Return how many queues are in use, one for each key and mode. Requests that are
	 * alone are not counted.
	 */
	public int size() {
		return this.queues.size();
	}

	public long requeued() {
		return this.requeued.sum();
	}

	/** Return how many holders and requests have no node of their own in ZooKeeper. */
	public int withoutNode(String key) {
		return this.queues.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().key().equals(key))
			.mapToInt((entry) -> entry.getValue().withoutNode())
			.sum();
	}

	private LocalQueue create(QueueKey queueKey) {
		return create(queueKey.mode(), () -> isWriterQueued(queueKey.key()),
				(queue) -> this.queues.remove(queueKey, queue));
	}

	private LocalQueue create(LockMode mode, BooleanSupplier writerIsQueued, Consumer<LocalQueue> onIdle) {
		return new LocalQueue(this.services, this.cache, this.held, this.requeued, mode, writerIsQueued, onIdle);
	}

	private boolean isWriterQueued(String key) {
		return isQueued(new QueueKey(key, LockMode.WRITE)) || isQueued(new QueueKey(key, LockMode.EXCLUSIVE));
	}

	private boolean isQueued(QueueKey queueKey) {
		LocalQueue queue = this.queues.get(queueKey);
		return queue != null && queue.isQueued();
	}

	// One node stands for all of its requests, and shows the mode in its name.
	private record QueueKey(String key, LockMode mode) {

	}

}
