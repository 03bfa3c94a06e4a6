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

package io.github.zklock.zookeeper.tasks;

import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads for work that may block. Their number is bounded as long as one of them ends
 * its work now and then. Otherwise all of them may wait for work that has no thread yet,
 * so more threads start.
 */
final class BoundedThreads {

	private static final int IDLE_SECONDS = 30;

	private static final int PARTS = 4;

	private final int most;

	private final Waiting waiting = new Waiting();

	private final ThreadPoolExecutor pool;

	private long ended;

	private boolean hadWaiting;

	private volatile boolean unbounded;

	BoundedThreads(int most, ThreadFactory threads) {
		this.most = most;
		this.pool = new ThreadPoolExecutor(0, most, IDLE_SECONDS, TimeUnit.SECONDS, this.waiting, threads,
				(work, full) -> await(work));
	}

	void execute(Runnable work) {
		this.pool.execute(work);
	}

	private void await(Runnable work) {
		this.waiting.put(work);
		// Otherwise a call of unbind() at this moment would have missed it.
		if (this.unbounded && this.waiting.remove(work)) {
			this.pool.execute(work);
		}
	}

	/**
	 * Start more threads if work has waited since the last call and none has ended. Once
	 * no work waits, the bound is what it was at first.
	 */
	synchronized void growIfStuck() {
		if (this.unbounded) {
			return;
		}
		long now = this.pool.getCompletedTaskCount();
		boolean wait = !this.waiting.isEmpty();
		if (!wait && this.pool.getMaximumPoolSize() > this.most) {
			this.pool.setMaximumPoolSize(this.most);
		}
		else if (wait && this.hadWaiting && now == this.ended) {
			int more = Math.max(this.most / PARTS, 1);
			this.pool.setMaximumPoolSize(this.pool.getMaximumPoolSize() + more);
			for (int i = 0; i < more; i++) {
				startNext();
			}
		}
		this.ended = now;
		this.hadWaiting = wait;
	}

	/**
	 * Set no bound from now on, and let threads end with their work.
	 */
	synchronized void unbind() {
		this.pool.setMaximumPoolSize(Integer.MAX_VALUE);
		this.unbounded = true;
		this.pool.setKeepAliveTime(0, TimeUnit.SECONDS);
		startAll();
	}

	private void startAll() {
		while (startNext()) {
			// Each of them gets a thread.
		}
	}

	private boolean startNext() {
		Runnable work = this.waiting.poll();
		if (work == null) {
			return false;
		}
		try {
			this.pool.execute(work);
			return true;
		}
		catch (Throwable ex) {
			this.waiting.put(work);
			throw ex;
		}
	}

	/**
	 * Takes work at once only for a thread that is idle, as a {@link SynchronousQueue}
	 * does. A pool then starts more threads before any work has to wait.
	 */
	private static final class Waiting extends LinkedTransferQueue<Runnable> {

		@Override
		public boolean offer(Runnable work) {
			return tryTransfer(work);
		}

	}

}
