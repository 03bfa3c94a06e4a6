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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The lock under which all steps of one local queue run, those of its contenders
 * included.
 */
final class AttemptLock {

	private final LockEngine engine;

	private final ReentrantLock lock = new ReentrantLock();

	private final List<Runnable> wakeUps = new ArrayList<>(1);

	AttemptLock(LockEngine engine) {
		this.engine = engine;
	}

	void run(Runnable step) {
		this.lock.lock();
		try {
			step.run();
		}
		finally {
			unlock();
		}
	}

	<T extends @Nullable Object> T get(Supplier<T> step) {
		this.lock.lock();
		try {
			return step.get();
		}
		finally {
			unlock();
		}
	}

	/**
	 * Wake up who is to go on after the step, at its end: it may want the lock at once.
	 */
	void afterwards(Runnable wakeUp) {
		this.wakeUps.add(wakeUp);
	}

	private void unlock() {
		List<Runnable> due = List.of();
		try {
			if (!this.wakeUps.isEmpty() && this.lock.getHoldCount() == 1) {
				due = List.copyOf(this.wakeUps);
				this.wakeUps.clear();
			}
		}
		finally {
			this.lock.unlock();
		}
		due.forEach(Runnable::run);
	}

	/**
	 * Take a step with a reply of ZooKeeper. When a session ends, the client delivers
	 * replies on other threads than its event thread as well, and under locks of its own.
	 */
	void reply(Runnable step) {
		if (ClientThreads.isEventThread(Thread.currentThread())) {
			run(step);
		}
		else {
			this.engine.handOver(() -> run(step));
		}
	}

}
