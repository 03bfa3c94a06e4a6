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

package io.github.zklock.core.internal;

import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.CancellationException;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.RecordedRun;
import io.github.zklock.core.spi.RunOutcome;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports what becomes of the work under a lock, of one or of several keys, to a backend
 * that records it as a {@link RecordedRun}. Without such a record it has no effect.
 *
 * @since 0.1.0
 */
public final class WorkRecords {

	private static final Logger logger = LoggerFactory.getLogger(WorkRecords.class);

	private WorkRecords() {
	}

	/**
	 * Return what a lock unwraps to for one of its requests. A call that re-enters the
	 * lock of a recorded run is not that run.
	 * @param root the handle of the backend
	 * @param type the type
	 * @param asked the request
	 * @param <T> the type
	 * @return the object, or {@code null} if there is none of that type
	 */
	static <T> @Nullable T unwrap(LockHandle root, Class<T> type, LockRequest asked) {
		return (type == RecordedRun.class && asked.tick() == null) ? null : root.unwrap(type);
	}

	/**
	 * Return which attempt at its tick a run is.
	 * @param handle the lock, of one or of several keys
	 * @return the number, from 1
	 */
	public static int attempt(LockHandle handle) {
		int attempt = 1;
		for (LockHandle each : handle.handles()) {
			RecordedRun run = each.unwrap(RecordedRun.class);
			attempt = (run != null) ? run.attempt() : attempt;
		}
		return attempt;
	}

	/**
	 * Run an action when the work under a lock has ended without coming to its end.
	 * @param handle the lock, of one or of several keys
	 * @param action must be quick
	 */
	public static void whenUnfinished(LockHandle handle, Runnable action) {
		for (LockHandle each : handle.handles()) {
			RecordedRun run = each.unwrap(RecordedRun.class);
			if (run != null) {
				run.whenUnfinished(action);
			}
		}
	}

	/**
	 * Take note that the work under a lock has returned on the calling thread. A thread
	 * that is interrupted then was asked to stop, and its work is not known to be done.
	 * @param handle the lock, of one or of several keys
	 */
	public static void returned(LockHandle handle) {
		if (Thread.currentThread().isInterrupted()) {
			ended(handle, RunOutcome.INTERRUPTED);
		}
	}

	/**
	 * Take note that the work under a lock has failed. Throws nothing, since the release
	 * comes after it.
	 * @param handle the lock, of one or of several keys
	 * @param failure what the work threw
	 */
	public static void failed(LockHandle handle, Throwable failure) {
		Throwable unrecorded = Failures.thrownBy(() -> {
			// First, since the cause of a failure is code of the application.
			ended(handle, RunOutcome.FAILED);
			if (isInterrupt(failure)) {
				ended(handle, RunOutcome.INTERRUPTED);
			}
		});
		if (unrecorded != null) {
			logger.warn("It is not recorded how a run under {} has ended", handle, unrecorded);
		}
	}

	/**
	 * Take note of how the work under a lock ends.
	 * @param handle the lock, of one or of several keys
	 * @param outcome how the work ends
	 */
	public static void ended(LockHandle handle, RunOutcome outcome) {
		for (LockHandle each : handle.handles()) {
			RecordedRun run = each.unwrap(RecordedRun.class);
			if (run != null) {
				run.endsAs(outcome);
			}
		}
	}

	private static boolean isInterrupt(Throwable failure) {
		Throwable cause = failure;
		for (int depth = 0; cause != null && depth < 20; depth++) {
			if (cause instanceof InterruptedException || cause instanceof CancellationException
					|| isInterruptedIo(cause)) {
				return true;
			}
			cause = cause.getCause();
		}
		return Thread.currentThread().isInterrupted();
	}

	// A timeout of a socket has the same type, but is a failure.
	private static boolean isInterruptedIo(Throwable cause) {
		return cause instanceof ClosedByInterruptException
				|| (cause instanceof InterruptedIOException && !(cause instanceof SocketTimeoutException));
	}

}
