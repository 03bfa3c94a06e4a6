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
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a provider: one timer thread, and others for work that may take long.
 */
public final class EngineThreads implements Tasks {

	private static final Logger logger = LoggerFactory.getLogger(EngineThreads.class);

	private static final int IDLE_SECONDS = 30;

	private final ScheduledThreadPoolExecutor timer;

	private final ThreadPoolExecutor others;

	private volatile boolean stopped;

	public EngineThreads(ThreadFactory forTimer, ThreadFactory forOthers) {
		this.timer = new ScheduledThreadPoolExecutor(1, forTimer);
		this.timer.setRemoveOnCancelPolicy(true);
		this.timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		this.others = new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS,
				new SynchronousQueue<>(), forOthers);
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
		return this.timer.schedule(action, delay, TimeUnit.NANOSECONDS);
	}

	@Override
	public void repeat(Runnable action, long pause) {
		this.timer.scheduleWithFixedDelay(action, pause, pause, TimeUnit.NANOSECONDS);
	}

	@Override
	public void callBack(Runnable code) {
		this.others.execute(code);
	}

	@Override
	public void handOver(Runnable step) {
		if (this.stopped) {
			logger.debug("A reply came after the end");
			return;
		}
		this.others.execute(step);
	}

	@Override
	public boolean isReplyThread() {
		return Thread.currentThread().getName().endsWith("-EventThread");
	}

	@Override
	public void stop() {
		this.stopped = true;
		this.timer.shutdownNow();
		// User code may still be called back; its thread ends with it.
		this.others.setKeepAliveTime(0, TimeUnit.SECONDS);
	}

}
