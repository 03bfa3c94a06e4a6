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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Lets a thread wait with a bound. Other threads of the engine never wait in real time,
 * except for callers that wait for an answer.
 */
public final class BoundedWait {

	private BoundedWait() {
	}

	/**
	 * Wait for a result, with a bound, even if the thread is interrupted. The interrupt
	 * is restored afterwards.
	 */
	public static void uninterruptibly(CompletableFuture<?> result, long millis) {
		long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
		boolean interrupted = false;
		while (!await(result, deadline - System.nanoTime())) {
			interrupted = true;
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Wait for a result, with a bound, or until the thread is interrupted. The interrupt
	 * is restored afterwards.
	 */
	public static void unlessInterrupted(CompletableFuture<?> result, Duration bound) {
		if (!await(result, TimeUnit.NANOSECONDS.convert(bound))) {
			Thread.currentThread().interrupt();
		}
	}

	private static boolean await(CompletableFuture<?> result, long nanos) {
		try {
			result.get(nanos, TimeUnit.NANOSECONDS);
			return true;
		}
		catch (InterruptedException ex) {
			return false;
		}
		catch (TimeoutException | ExecutionException ex) {
			// The caller looks at the result itself.
			return true;
		}
	}

}
