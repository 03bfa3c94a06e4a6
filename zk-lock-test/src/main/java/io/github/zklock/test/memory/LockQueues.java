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

package io.github.zklock.test.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockPermitsException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.spi.JobStore.Job;
import io.github.zklock.core.spi.JobStore.Pause;
import io.github.zklock.core.spi.JobStore.State;
import org.jspecify.annotations.Nullable;

/**
 * One queue for each key in use. The first entry holds the lock, together with those
 * directly behind that may share it; all in a queue have the same number of permits.
 * Every change of a queue or of a handle's state happens under the monitor of this
 * object.
 */
final class LockQueues {

	private final Map<String, Deque<InMemoryLockHandle>> queues = new HashMap<>();

	private final InMemoryClock clock = new InMemoryClock();

	private final InMemoryTicks ticks = new InMemoryTicks(this.clock);

	// What waits for the end of the holder of a key, or of the pause of a job.
	private final Map<Object, List<CompletableFuture<Object>>> watches = new HashMap<>();

	private long lastToken;

	InMemoryClock clock() {
		return this.clock;
	}

	synchronized void pause(Job job, Pause pause) {
		this.ticks.pause(job, pause);
	}

	synchronized void resume(Job job, Instant at) {
		this.ticks.resume(job, at);
		over(job);
	}

	/**
	 * Return what ends when a job is not paused any more.
	 */
	synchronized CompletableFuture<Object> whenResumed(Job job) {
		return whenOver(job, this.ticks.state(job).pause() == null);
	}

	synchronized State stateOf(Job job) {
		return this.ticks.state(job);
	}

	synchronized void join(InMemoryLockHandle handle) {
		if (!handle.node().isConnected()) {
			handle.refuse(() -> unavailable(handle));
			return;
		}
		Supplier<LockException> refusal = this.ticks.refusal(handle);
		if (refusal != null) {
			handle.refuse(refusal);
			return;
		}
		Deque<InMemoryLockHandle> queue = this.queues.computeIfAbsent(handle.key(), (key) -> new ArrayDeque<>());
		InMemoryLockHandle first = queue.peekFirst();
		if (first != null && first.request().permits() != handle.request().permits()) {
			throw new LockPermitsException(handle.request(), Duration.ZERO, first.request().permits());
		}
		queue.addLast(handle);
		grant(queue);
		notifyAll();
	}

	// False when the lock was granted or refused in the same moment.
	synchronized boolean withdraw(InMemoryLockHandle handle) {
		if (handle.isSettled()) {
			return false;
		}
		leave(handle);
		return true;
	}

	/**
	 * Refuse a request when its time is over. The holder is read now, not later.
	 */
	synchronized void expire(InMemoryLockHandle handle) {
		if (withdraw(handle)) {
			LockRequest request = handle.request();
			Deque<InMemoryLockHandle> queue = this.queues.get(handle.key());
			InMemoryLockHandle first = (queue != null) ? queue.getFirst() : null;
			LockHolder holder = (first != null) ? first.holder() : null;
			Duration kept = (first != null && first.keptNanos() > 0) ? first.request().lockAtLeastFor() : null;
			Duration waited = handle.waited();
			handle.refuse(() -> (kept != null) ? LockNotAcquiredException.kept(request, waited, holder, kept)
					: new LockNotAcquiredException(request, waited, holder));
		}
	}

	synchronized void release(InMemoryLockHandle handle) {
		if (handle.end()) {
			this.ticks.ended(handle);
			leaveInTime(handle);
		}
	}

	// Also of a lock that was lost, whose key is kept until now.
	synchronized void forgo(InMemoryLockHandle handle) {
		handle.keepNoLonger();
		if (handle.end() || handle.state() == LockState.LOST) {
			leave(handle);
		}
	}

	/**
	 * Lose held locks, and return the ones with listeners to notify.
	 */
	synchronized List<InMemoryLockHandle> lose(Predicate<InMemoryLockHandle> which) {
		// All are lost first, so that a reader does not share with a lost one.
		List<InMemoryLockHandle> lost = all().stream().filter(which).filter(InMemoryLockHandle::lose).toList();
		lost.forEach(this::leaveInTime);
		return lost;
	}

	synchronized void disconnect(InMemoryNode node) {
		node.connected(false);
		refuseWaiting((handle) -> handle.node() == node, LockQueues::unavailable);
		all().stream().filter((handle) -> handle.node() == node).forEach((handle) -> handle.connected(false));
	}

	synchronized void reconnect(InMemoryNode node) {
		node.connected(true);
		all().stream().filter((handle) -> handle.node() == node).forEach((handle) -> handle.connected(true));
	}

	/**
	 * Forget what a test has left: waiting requests, kept keys, ticks, and the locks of
	 * processes that it played. Locks that the process under test acquired since a token
	 * are lost.
	 */
	synchronized List<InMemoryLockHandle> reset(long token) {
		this.ticks.clear();
		this.watches.keySet().stream().toList().forEach(this::over);
		refuseWaiting((handle) -> true, (handle) -> new LockUnavailableException(handle.request(), handle.waited(),
				"the test that has asked for it is over", null));
		for (InMemoryLockHandle handle : all()) {
			handle.keepNoLonger();
			if (handle.node().isPlayed() || !handle.isInUse()) {
				handle.end();
				leave(handle);
			}
		}
		this.clock.clear();
		return lose((handle) -> handle.fencingToken() > token);
	}

	/**
	 * Return what ends when the present holder of a key is gone.
	 */
	synchronized CompletableFuture<Object> whenHolderGone(String key) {
		return whenOver(key, queue(key).isEmpty());
	}

	private CompletableFuture<Object> whenOver(Object watched, boolean isOver) {
		CompletableFuture<Object> over = new CompletableFuture<>();
		if (isOver) {
			over.complete(watched);
		}
		else {
			this.watches.computeIfAbsent(watched, (unknown) -> new ArrayList<>()).add(over);
		}
		return over;
	}

	synchronized long lastToken() {
		return this.lastToken;
	}

	synchronized int size() {
		return this.queues.size();
	}

	synchronized List<InMemoryLockHandle> holding(String key) {
		return queue(key).stream().filter(InMemoryLockHandle::isInUse).toList();
	}

	/**
	 * Return the holder of a key, or the one that keeps it.
	 */
	synchronized @Nullable InMemoryLockHandle first(String key) {
		return queue(key).stream().findFirst().orElse(null);
	}

	synchronized int waiting(String key) {
		return (int) queue(key).stream().filter((handle) -> !handle.isSettled()).count();
	}

	/**
	 * Wait until this many requests wait for a key.
	 * @return whether they do; if not, the time was over
	 */
	synchronized boolean awaitWaiting(String key, int count, Duration patience) throws InterruptedException {
		long start = System.nanoTime();
		while (waiting(key) != count) {
			long left = patience.minusNanos(System.nanoTime() - start).toMillis();
			if (left <= 0) {
				return false;
			}
			wait(left);
		}
		return true;
	}

	// Of all clients.
	private List<InMemoryLockHandle> queue(String key) {
		return all().stream().filter((handle) -> handle.key().equals(key)).toList();
	}

	private List<InMemoryLockHandle> all() {
		return this.queues.values().stream().flatMap(Collection::stream).toList();
	}

	// The last first, so that none is granted because of one before it that goes too.
	private void refuseWaiting(Predicate<InMemoryLockHandle> which, Function<InMemoryLockHandle, LockException> why) {
		List<InMemoryLockHandle> handles = new ArrayList<>(all());
		Collections.reverse(handles);
		for (InMemoryLockHandle handle : handles) {
			if (which.test(handle) && withdraw(handle)) {
				handle.refuse(() -> why.apply(handle));
			}
		}
	}

	private static LockException unavailable(InMemoryLockHandle handle) {
		return new LockUnavailableException(handle.request(), handle.waited(),
				"there is no connection to ZooKeeper: a test has interrupted it", null);
	}

	private void leaveInTime(InMemoryLockHandle handle) {
		long kept = handle.keptNanos();
		if (kept <= 0) {
			leave(handle);
			return;
		}
		this.clock.alarm(() -> leaveLate(handle), kept);
	}

	private synchronized void leaveLate(InMemoryLockHandle handle) {
		leave(handle);
	}

	private void leave(InMemoryLockHandle handle) {
		Deque<InMemoryLockHandle> queue = this.queues.get(handle.key());
		boolean holder = queue != null && queue.peekFirst() == handle;
		if (queue != null && queue.remove(handle)) {
			if (holder) {
				over(handle.key());
			}
			grant(queue);
			if (queue.isEmpty()) {
				this.queues.remove(handle.key());
			}
			notifyAll();
		}
	}

	// What follows does not run under the monitor of the queues.
	private void over(Object watched) {
		List<CompletableFuture<Object>> waiting = this.watches.remove(watched);
		if (waiting != null) {
			waiting.forEach((over) -> over.completeAsync(() -> watched, InMemoryLockProvider::onOwnThread));
		}
	}

	private void grant(Deque<InMemoryLockHandle> queue) {
		InMemoryLockHandle first = null;
		int ahead = 0;
		Iterator<InMemoryLockHandle> handles = queue.iterator();
		while (handles.hasNext()) {
			InMemoryLockHandle handle = handles.next();
			if (first != null && ahead >= handle.request().permits() && !handle.mode().isCompatibleWith(first.mode())) {
				return;
			}
			if (!handle.isSettled() && !grant(handle)) {
				handles.remove();
				continue;
			}
			first = (first != null) ? first : handle;
			ahead++;
		}
	}

	private boolean grant(InMemoryLockHandle handle) {
		Supplier<LockException> refusal = this.ticks.refusal(handle);
		if (refusal != null) {
			handle.refuse(refusal);
			return false;
		}
		handle.grant(++this.lastToken);
		this.ticks.add(handle);
		return true;
	}

}
