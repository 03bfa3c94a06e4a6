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

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/**
 * Tasks without a thread: replies are taken on any thread, time stands still until the
 * test lets it pass, and nothing is done later unless the test does it.
 */
public final class IdleTasks implements Tasks {

	private final Queue<Runnable> scheduled = new ArrayDeque<>();

	private long now;

	private boolean stopped;

	/**
	 * Return what was to be done later.
	 */
	Queue<Runnable> scheduled() {
		return this.scheduled;
	}

	void passes(Duration time) {
		this.now += time.toNanos();
	}

	@Override
	public long nanoTime() {
		return this.now;
	}

	@Override
	public Future<?> schedule(Runnable action, long delay) {
		this.scheduled.add(action);
		return new CompletableFuture<>();
	}

	@Override
	public void repeat(Runnable action, long pause) {
	}

	@Override
	public void callBack(Runnable code) {
	}

	@Override
	public void onStepThread(Runnable step) {
	}

	@Override
	public boolean isReplyThread() {
		return true;
	}

	@Override
	public void stop() {
		this.stopped = true;
	}

	@Override
	public boolean isStopped() {
		return this.stopped;
	}

}
