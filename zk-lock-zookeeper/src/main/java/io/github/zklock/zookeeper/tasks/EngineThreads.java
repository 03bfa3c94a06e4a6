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

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a provider: one timer thread, and three pools for work that may take
 * long. The name of each thread says what runs on it.
 */
public final class EngineThreads implements Tasks {

	private static final Logger logger = LoggerFactory.getLogger(EngineThreads.class);

	/** The default bound of the threads for callbacks. */
	public static final int CALLBACK_THREADS = 64;

	private static final int STEP_THREADS = 16;

	private static final int NOTICE_THREADS = 16;

	private static final long CHECK_SECONDS = 1;

	private final ScheduledThreadPoolExecutor timer;

	private final BoundedThreads callbacks;

	// Separate, since user code may block all threads for callbacks.
	private final BoundedThreads steps;

	// Separate, since the bodies of locks may block all threads for callbacks until they
	// are notified of a loss.
	private final BoundedThreads notices;

	private volatile boolean stopped;

	/**
	 * Create the threads.
	 * @param factories returns the factory for a purpose, which is {@code timer},
	 * {@code callback}, {@code step} or {@code notice}
	 * @param callbackThreads how many threads run callbacks at a time, as long as one of
	 * them ends its work within a second
	 */
	public EngineThreads(Function<String, ThreadFactory> factories, int callbackThreads) {
		this.timer = new ScheduledThreadPoolExecutor(1, factories.apply("timer"));
		this.timer.setRemoveOnCancelPolicy(true);
		this.timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		this.callbacks = new BoundedThreads(callbackThreads, factories.apply("callback"));
		this.steps = new BoundedThreads(STEP_THREADS, factories.apply("step"));
		this.notices = new BoundedThreads(NOTICE_THREADS, factories.apply("notice"));
		this.timer.scheduleWithFixedDelay(this::growIfStuck, CHECK_SECONDS, CHECK_SECONDS, TimeUnit.SECONDS);
	}

	private void growIfStuck() {
		try {
			this.steps.growIfStuck();
			this.notices.growIfStuck();
			this.callbacks.growIfStuck();
		}
		catch (Throwable ex) {
			EngineTasks.log("More threads could not be started; the engine tries again", ex);
		}
	}

	/**
	 * Return a factory for daemon threads. They inherit neither thread locals nor the
	 * class loader nor the priority of the thread that creates them.
	 */
	public static ThreadFactory daemons(String prefix) {
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

	@Override
	public long nanoTime() {
		return System.nanoTime();
	}

	@Override
	public Future<?> schedule(Runnable action, long delay) {
		// The timer thread needs the mutex of its queue.
		return VirtualCallers.isCurrent() ? VirtualCallers.runOnStepThread(this, () -> schedule(action, delay))
				: this.timer.schedule(action, delay, TimeUnit.NANOSECONDS);
	}

	@Override
	public void repeat(Runnable action, long pause) {
		this.timer.scheduleWithFixedDelay(action, pause, pause, TimeUnit.NANOSECONDS);
	}

	@Override
	public void callBack(Runnable code) {
		this.callbacks.execute(code);
	}

	@Override
	public void notice(Runnable code) {
		this.notices.execute(code);
	}

	@Override
	public void onStepThread(Runnable step) {
		if (this.stopped) {
			logger.debug("A reply came after the end");
			return;
		}
		this.steps.execute(step);
	}

	@Override
	public boolean isReplyThread() {
		return Thread.currentThread().getName().endsWith("-EventThread");
	}

	@Override
	public boolean isStopped() {
		return this.stopped;
	}

	@Override
	public void stop() {
		this.stopped = true;
		this.timer.shutdownNow();
		this.steps.unbind();
		// User code may still be called back; its thread ends with it.
		this.notices.unbind();
		this.callbacks.unbind();
	}

}
