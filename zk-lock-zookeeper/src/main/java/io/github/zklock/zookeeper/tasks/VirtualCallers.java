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

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of callers that are virtual threads. When such a thread meets a lock
 * that is taken, or from Java 24 on a monitor, it is unmounted with all that it holds. It
 * goes on when a carrier thread is free, which may be never.
 */
public final class VirtualCallers {

	// Missing before Java 21.
	private static final @Nullable MethodHandle IS_VIRTUAL = find();

	private VirtualCallers() {
	}

	private static @Nullable MethodHandle find() {
		try {
			return MethodHandles.publicLookup()
				.findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
		}
		catch (NoSuchMethodException | IllegalAccessException ex) {
			return null;
		}
	}

	/** Return whether the current thread must not hold what other threads wait for. */
	public static boolean isCurrent() {
		try {
			return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
		}
		catch (Throwable ex) {
			return false;
		}
	}

	/**
	 * Run a step on a thread of the engine, and wait for its end. The wait needs no
	 * bound, as no thread of the engine waits for a virtual one.
	 */
	static <T extends @Nullable Object> T runOnStepThread(Tasks tasks, Supplier<T> step) {
		FutureTask<T> task = new FutureTask<>(step::get);
		try {
			tasks.onStepThread(task);
		}
		catch (Throwable ex) {
			// No thread can be started.
			task.run();
		}
		if (tasks.isStopped()) {
			// Has no effect if another thread has begun it.
			task.run();
		}
		return await(task);
	}

	private static <T extends @Nullable Object> T await(FutureTask<T> task) {
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return task.get();
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof Error error) {
				throw error;
			}
			throw (RuntimeException) ex.getCause();
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
