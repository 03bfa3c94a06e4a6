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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.zklock.zookeeper.tasks.RetryingTasks;
import io.github.zklock.zookeeper.tasks.RetryingTasks.Retry;
import io.github.zklock.zookeeper.tasks.Tasks;
import io.github.zklock.zookeeper.tasks.VirtualCallers;
import org.jspecify.annotations.Nullable;

/**
 * The lock under which all steps of a local queue and its contenders run. A failed step
 * is reported to the queue under this lock before the next step, or by the timer. So no
 * step relies on one that was done half way. Replies wait for this lock, so no virtual
 * thread ever has it or waits for it.
 */
public final class QueueMutex {

	// Threads that take several of these locks in different orders would block each
	// other. Nothing of this library stays in a thread: only an array with nothing in it.
	private static final ThreadLocal<@Nullable Object[]> ofThread = ThreadLocal.withInitial(() -> new Object[1]);

	private final RetryingTasks tasks;

	private final Consumer<Throwable> onFailure;

	private final Retry retry;

	private final ReentrantLock lock = new ReentrantLock();

	private final List<Runnable> wakeUps = new ArrayList<>(1);

	private volatile @Nullable Throwable failure;

	/**
	 * Create a lock.
	 * @param onFailure takes the failure of a step, again if it fails itself
	 */
	public QueueMutex(RetryingTasks tasks, Consumer<Throwable> onFailure) {
		this.tasks = tasks;
		this.onFailure = onFailure;
		this.retry = tasks.retried(() -> get(() -> true));
	}

	/**
	 * Run a step. Its failure is reported, and thrown only by a nested step.
	 */
	public void run(Runnable step) {
		if (VirtualCallers.isCurrent()) {
			this.tasks.onPlatformThread(() -> {
				run(step);
				return true;
			});
			return;
		}
		take(step, false);
	}

	private void take(Runnable step, boolean throwing) {
		@Nullable Object[] mine = lock();
		try {
			mine[0] = this;
			reportFailure();
			step.run();
		}
		catch (Throwable ex) {
			// Assigned first, since there may be no stack left for a call.
			this.failure = ex;
			this.retry.failed(ex);
			if (throwing || this.lock.getHoldCount() > 1) {
				throw ex;
			}
		}
		finally {
			unlock(mine);
		}
	}

	/**
	 * Run a step with a result. Its failure is reported and thrown.
	 */
	public <T extends @Nullable Object> T get(Supplier<T> step) {
		if (VirtualCallers.isCurrent()) {
			return this.tasks.onPlatformThread(() -> get(step));
		}
		@Nullable Object[] mine = lock();
		try {
			mine[0] = this;
			reportFailure();
			return step.get();
		}
		catch (Throwable ex) {
			// Assigned first, since there may be no stack left for a call.
			this.failure = ex;
			this.retry.failed(ex);
			throw ex;
		}
		finally {
			unlock(mine);
		}
	}

	private @Nullable Object[] lock() {
		assert !isAnotherHeld() : "A thread must not hold the locks of two queues";
		// First, since there may be no memory for it.
		@Nullable Object[] mine = ofThread.get();
		this.lock.lock();
		return mine;
	}

	// Checked, since a failure may have left the entry of the thread behind.
	private boolean isAnotherHeld() {
		return ofThread.get()[0] instanceof QueueMutex held && held != this && held.lock.isHeldByCurrentThread();
	}

	/**
	 * Report a failure that is not part of a step.
	 */
	public void failed(Throwable ex) {
		this.failure = ex;
		this.retry.failed(ex);
	}

	private void reportFailure() {
		Throwable cause = this.failure;
		if (cause != null && this.lock.getHoldCount() == 1) {
			// Reset first, so that a failure of the report is kept.
			this.failure = null;
			try {
				this.onFailure.accept(cause);
			}
			catch (Throwable ex) {
				this.failure = cause;
				throw ex;
			}
		}
	}

	/**
	 * Run this after the step, when the lock is free for the thread that wakes up.
	 */
	public void afterwards(Runnable wakeUp) {
		this.wakeUps.add(wakeUp);
	}

	private void unlock(@Nullable Object[] mine) {
		List<Runnable> due = List.of();
		try {
			if (this.lock.getHoldCount() == 1) {
				mine[0] = null;
				due = wakeUpsDue();
			}
		}
		finally {
			this.lock.unlock();
		}
		for (Runnable wakeUp : due) {
			wakeUp(wakeUp);
		}
	}

	private List<Runnable> wakeUpsDue() {
		if (this.wakeUps.isEmpty()) {
			return List.of();
		}
		List<Runnable> due = List.copyOf(this.wakeUps);
		this.wakeUps.clear();
		return due;
	}

	private void wakeUp(Runnable due) {
		try {
			due.run();
		}
		catch (Throwable ex) {
			this.lock.lock();
			try {
				this.wakeUps.add(due);
			}
			finally {
				this.lock.unlock();
			}
			this.retry.failed(ex);
		}
	}

	/**
	 * Run a step with a reply of ZooKeeper, which may come on
	 * {@linkplain Tasks#isReplyThread() any thread}, even within a step of another queue.
	 * A failure is thrown, so that the reply is delivered again: the queue may not know
	 * its place any more.
	 */
	public void reply(Runnable step) {
		if (this.tasks.isReplyThread() && !isAnotherHeld()) {
			take(step, true);
		}
		else {
			this.tasks.handOver(() -> take(step, true));
		}
	}

}
