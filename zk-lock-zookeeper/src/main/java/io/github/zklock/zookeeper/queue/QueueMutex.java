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
import java.util.function.Supplier;

import io.github.zklock.zookeeper.tasks.EngineTasks;
import io.github.zklock.zookeeper.tasks.Generation;
import io.github.zklock.zookeeper.tasks.Tasks;
import io.github.zklock.zookeeper.tasks.VirtualCallers;
import org.jspecify.annotations.Nullable;

/**
 * The mutex under which all steps of a local queue and its contenders run. After a failed
 * step of its generation no other one begins, so none relies on one that was done half
 * way. Replies wait for this lock, so no virtual thread ever has it or waits for it.
 */
public final class QueueMutex {

	// Threads that take several of these locks in different orders would block each
	// other. Nothing of this library stays in a thread: only an array with nothing in it.
	private static final ThreadLocal<@Nullable Object[]> ofThread = ThreadLocal.withInitial(() -> new Object[1]);

	private final EngineTasks tasks;

	private final Generation generation;

	private final ReentrantLock lock = new ReentrantLock();

	private final List<Runnable> wakeUps = new ArrayList<>(1);

	public QueueMutex(EngineTasks tasks) {
		this.tasks = tasks;
		this.generation = tasks.generation();
	}

	/** Return whether a step has failed, so that no other one begins. */
	public boolean isBroken() {
		return this.generation.isBroken();
	}

	/** Run a step, unless an earlier one has failed. */
	public void run(Runnable step) {
		get(() -> {
			step.run();
			return true;
		}, false);
	}

	/**
	 * Run a step with a result.
	 * @param otherwise is returned if this step or an earlier one has failed
	 */
	public <T extends @Nullable Object> T get(Supplier<T> step, T otherwise) {
		return VirtualCallers.isCurrent() ? this.tasks.onPlatformThread(() -> get(step, otherwise))
				: runLocked(step, otherwise);
	}

	private <T extends @Nullable Object> T runLocked(Supplier<T> step, T otherwise) {
		assert !isAnotherHeld() : "A thread must not hold the locks of two queues";
		boolean nested = this.lock.isHeldByCurrentThread();
		@Nullable Object[] mine = ofThread.get();
		List<Runnable> due = List.of();
		T result = otherwise;
		try {
			this.lock.lock();
			try {
				mine[0] = this;
				if (!isBroken()) {
					result = step.get();
				}
				if (!nested) {
					mine[0] = null;
					due = wakeUpsDue();
				}
			}
			finally {
				this.lock.unlock();
			}
		}
		catch (Throwable ex) {
			this.generation.failed(ex);
			if (nested) {
				throw ex;
			}
			return otherwise;
		}
		for (Runnable wakeUp : due) {
			this.generation.run(wakeUp);
		}
		return result;
	}

	// Checked, since a failure may have left the entry of the thread behind.
	private boolean isAnotherHeld() {
		return ofThread.get()[0] instanceof QueueMutex held && held != this && held.lock.isHeldByCurrentThread();
	}

	/**
	 * Run this after the step, when the lock is free for the thread that wakes up.
	 */
	public void afterwards(Runnable wakeUp) {
		this.wakeUps.add(wakeUp);
	}

	private List<Runnable> wakeUpsDue() {
		if (this.wakeUps.isEmpty()) {
			return List.of();
		}
		List<Runnable> due = List.copyOf(this.wakeUps);
		this.wakeUps.clear();
		return due;
	}

	/**
	 * Run a step with a reply of ZooKeeper, which may come on
	 * {@linkplain Tasks#isReplyThread() any thread}, even within a step of another queue.
	 */
	public void runReply(Runnable step) {
		this.generation.run(() -> {
			if (this.tasks.isReplyThread() && !isAnotherHeld()) {
				run(step);
			}
			else {
				this.tasks.onStepThread(() -> run(step));
			}
		});
	}

}
