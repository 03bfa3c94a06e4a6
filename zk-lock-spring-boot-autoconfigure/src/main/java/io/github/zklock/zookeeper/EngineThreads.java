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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a provider: one for what is due at a time, which never waits, and others
 * for what may take long. A step that fails here, for whatever reason, is taken again
 * until it succeeds, so steps must not mind to be repeated.
 */
final class EngineThreads {

	private static final Logger logger = LoggerFactory.getLogger(EngineThreads.class);

	private static final int IDLE_SECONDS = 30;

	private final Mender mender = new Mender(this::timer);

	private final ScheduledThreadPoolExecutor timer;

	private final ThreadPoolExecutor others;

	EngineThreads(ThreadFactory forTimer, ThreadFactory forOthers) {
		this.timer = new ScheduledThreadPoolExecutor(1, forTimer);
		this.timer.setRemoveOnCancelPolicy(true);
		this.timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		this.others = new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS,
				new SynchronousQueue<>(), forOthers);
	}

	/**
	 * Return what makes threads of this library, which belong to nobody who happens to
	 * need the first of them: they inherit neither thread locals nor the class loader nor
	 * the priority of that thread.
	 */
	static ThreadFactory daemons(String prefix) {
		AtomicInteger count = new AtomicInteger();
		ThreadGroup group = Thread.currentThread().getThreadGroup();
		return (task) -> {
			Thread thread = new Thread(group, task, prefix + count.incrementAndGet(), 0, false);
			thread.setContextClassLoader(EngineThreads.class.getClassLoader());
			thread.setPriority(Thread.NORM_PRIORITY);
			thread.setDaemon(true);
			return thread;
		};
	}

	Mender mender() {
		return this.mender;
	}

	/**
	 * Run code of users, which may block, on a thread that nothing else waits for; once
	 * everything is shut down, here.
	 */
	void callBack(Runnable code) {
		execute(code, code);
	}

	/**
	 * Go on with work of the engine on another thread; once everything is shut down there
	 * is none left to do.
	 */
	void handOver(Runnable step) {
		execute(this.mender.guard(step), () -> logger.debug("A reply came after the end"));
	}

	// If there is no thread to be had now, there may be one later.
	private void execute(Runnable step, Runnable afterTheEnd) {
		this.mender.surely(() -> {
			try {
				this.others.execute(step);
			}
			catch (RejectedExecutionException ex) {
				afterTheEnd.run();
			}
		});
	}

	/**
	 * Do something later.
	 * @throws RejectedExecutionException once everything is shut down
	 */
	ScheduledFuture<?> schedule(Runnable action, long delay, TimeUnit unit) {
		return this.timer.schedule(this.mender.guard(action), delay, unit);
	}

	/**
	 * Do something again and again, on a thread on which it may block.
	 */
	void repeat(Runnable action, long period, TimeUnit unit) {
		Runnable once = () -> {
			try {
				action.run();
			}
			catch (Throwable ex) {
				Mender.log("A periodic check failed and will be repeated", ex);
			}
		};
		Runnable round = this.mender.guard(() -> {
			this.mender.mend();
			handOver(once);
		});
		this.timer.scheduleWithFixedDelay(round, period, period, unit);
	}

	/**
	 * Return what ends with the result of something else, or by itself after a time. The
	 * timer that the JVM has for that is shared by all, so anybody may hold it up.
	 * @param otherwise the result after that time
	 */
	<T extends @Nullable Object> CompletableFuture<T> within(long millis, CompletableFuture<T> result, T otherwise) {
		if (result.isDone()) {
			return result;
		}
		CompletableFuture<T> bounded = result.copy();
		try {
			ScheduledFuture<?> end = schedule(() -> bounded.complete(otherwise), millis, TimeUnit.MILLISECONDS);
			bounded.whenComplete((done, failure) -> end.cancel(false));
		}
		catch (RejectedExecutionException ex) {
			bounded.complete(otherwise);
		}
		return bounded;
	}

	void shutdown() {
		this.timer.shutdownNow();
		this.others.shutdown();
	}

	private void timer(Runnable action, long delayMillis) {
		this.timer.schedule(action, delayMillis, TimeUnit.MILLISECONDS);
	}

}
