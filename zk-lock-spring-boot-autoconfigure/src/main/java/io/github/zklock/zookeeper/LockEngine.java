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

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import org.apache.zookeeper.data.ACL;

/**
 * What all contenders of a provider share.
 */
final class LockEngine {

	private static final int IDLE_SECONDS = 30;

	private final SessionTracker tracker;

	private final LockPaths paths;

	private final Function<String, List<ACL>> acl;

	private final ContenderNames names = new ContenderNames();

	private final NodeJanitor janitor;

	private final ScheduledThreadPoolExecutor timer;

	private final ExecutorService callbacks;

	LockEngine(SessionTracker tracker, LockPaths paths, Function<String, List<ACL>> acl) {
		this.tracker = tracker;
		this.paths = paths;
		this.acl = acl;
		this.timer = new ScheduledThreadPoolExecutor(1, daemons("zk-lock-timer-"));
		this.timer.setRemoveOnCancelPolicy(true);
		this.timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		this.callbacks = new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS,
				new SynchronousQueue<>(), daemons("zk-lock-callback-"));
		this.janitor = new NodeJanitor(this);
	}

	SessionTracker tracker() {
		return this.tracker;
	}

	LockPaths paths() {
		return this.paths;
	}

	List<ACL> acl(String path) {
		return this.acl.apply(path);
	}

	ContenderNames names() {
		return this.names;
	}

	NodeJanitor janitor() {
		return this.janitor;
	}

	/**
	 * Run code of users, which may block, on a thread that nothing else waits for.
	 */
	void callBack(Runnable code) {
		try {
			this.callbacks.execute(code);
		}
		catch (RejectedExecutionException ex) {
			code.run();
		}
	}

	ScheduledFuture<?> schedule(Runnable action, long delay, TimeUnit unit) {
		return this.timer.schedule(action, delay, unit);
	}

	void repeat(Runnable action, long period, TimeUnit unit) {
		this.timer.scheduleWithFixedDelay(action, period, period, unit);
	}

	void shutdown() {
		this.timer.shutdownNow();
		this.callbacks.shutdown();
		this.tracker.stop();
	}

	private static ThreadFactory daemons(String prefix) {
		AtomicInteger count = new AtomicInteger();
		return (task) -> {
			Thread thread = new Thread(task, prefix + count.incrementAndGet());
			thread.setDaemon(true);
			return thread;
		};
	}

}
