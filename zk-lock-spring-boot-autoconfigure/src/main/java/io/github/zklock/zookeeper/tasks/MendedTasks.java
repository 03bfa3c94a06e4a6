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

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import io.github.zklock.zookeeper.tasks.Mender.Mending;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of an engine, of which none is lost: a step that fails, for whatever reason,
 * is taken again until it succeeds, so steps must not mind to be repeated.
 */
public final class MendedTasks {

	private final Tasks tasks;

	private final Mender mender;

	// Their timers end with these tasks, and those who wait for them do not.
	private final Set<Runnable> ends = ConcurrentHashMap.newKeySet();

	public MendedTasks(Tasks tasks) {
		this.tasks = tasks;
		this.mender = new Mender((action, millis) -> tasks.schedule(action, TimeUnit.MILLISECONDS.toNanos(millis)));
	}

	public Mender mender() {
		return this.mender;
	}

	public long nanoTime() {
		return this.tasks.nanoTime();
	}

	public boolean isReplyThread() {
		return this.tasks.isReplyThread();
	}

	/**
	 * Take a step with a reply of ZooKeeper. When a session ends, the client delivers
	 * replies on other threads than its event thread as well, and under locks of its own.
	 */
	public void reply(Runnable step) {
		if (isReplyThread()) {
			step.run();
		}
		else {
			handOver(step);
		}
	}

	/**
	 * Refuse to wait for a lock on a thread that would have to deliver it.
	 */
	public void refuseToBlock() {
		if (isReplyThread()) {
			throw new IllegalStateException("A lock must not be acquired on ZooKeeper's event thread '"
					+ Thread.currentThread().getName() + "', which would have to deliver it: hand the work over to an "
					+ "executor, or use acquireAsync");
		}
	}

	// If there is no thread to be had now, there may be one later.
	public void callBack(Runnable code) {
		this.mender.surely(() -> this.tasks.callBack(code));
	}

	public void handOver(Runnable step) {
		Mending mending = this.mender.guard(step);
		this.mender.surely(() -> this.tasks.handOver(mending));
	}

	public Future<?> schedule(Runnable action, long delay, TimeUnit unit) {
		return this.tasks.schedule(this.mender.guard(action), unit.toNanos(delay));
	}

	/**
	 * Do something again and again, on a thread on which it may block.
	 */
	public void repeat(Runnable action, long period, TimeUnit unit) {
		Runnable once = () -> {
			try {
				action.run();
			}
			catch (Throwable ex) {
				Mender.log("A periodic check failed and will be repeated", ex);
			}
		};
		this.tasks.repeat(this.mender.guard(() -> {
			this.mender.mend();
			handOver(once);
		}), unit.toNanos(period));
	}

	/**
	 * Return what ends with the result of something else, or by itself after a time. The
	 * timer that the JVM has for that is shared by all, so anybody may hold it up.
	 * @param otherwise the result after that time
	 */
	public <T extends @Nullable Object> CompletableFuture<T> within(long millis, CompletableFuture<T> result,
			T otherwise) {
		if (result.isDone()) {
			return result;
		}
		CompletableFuture<T> bounded = result.copy();
		Runnable end = () -> bounded.complete(otherwise);
		this.ends.add(end);
		try {
			Future<?> timer = schedule(end, millis, TimeUnit.MILLISECONDS);
			bounded.whenComplete((done, failure) -> {
				timer.cancel(false);
				this.ends.remove(end);
			});
		}
		catch (RejectedExecutionException ex) {
			this.ends.remove(end);
			end.run();
		}
		return bounded;
	}

	public void stop() {
		this.tasks.stop();
		this.ends.forEach(Runnable::run);
	}

}
