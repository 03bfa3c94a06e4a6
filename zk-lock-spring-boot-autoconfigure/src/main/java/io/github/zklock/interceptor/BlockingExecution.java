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

package io.github.zklock.interceptor;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.zklock.annotation.Release;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.interceptor.LockExecutions.LockExecution;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Runs a call on the calling thread, which waits for the locks. The locks of an
 * {@code @Async} method are held there until the future is done that the method returns.
 * No other thread is parked by that: Spring waits for the future on this one anyway.
 */
final class BlockingExecution implements LockExecution {

	private static final boolean TRANSACTIONS = ClassUtils.isPresent(
			"org.springframework.transaction.support.TransactionSynchronizationManager",
			BlockingExecution.class.getClassLoader());

	private final LockOperations operations;

	private final boolean async;

	BlockingExecution(LockOperations operations, boolean async) {
		this.operations = operations;
		this.async = async;
	}

	@Override
	public @Nullable Object execute(LockCall plain) throws Throwable {
		LockCall call = plain.planned();
		if (TRANSACTIONS && call.operation().release() == Release.TRANSACTION
				&& TransactionLocks.isTransactionActive()) {
			return TransactionLocks.execute(call, this.operations);
		}
		AtomicBoolean entered = new AtomicBoolean();
		try {
			return this.operations.<@Nullable Object, Throwable>execute(call.requests(), (handle) -> {
				entered.set(true);
				Object result = call.proceed(handle);
				if (!this.async) {
					return call.end(result);
				}
				if (result instanceof Future<?> future) {
					call.end(await(future, handle));
				}
				return result;
			});
		}
		catch (LockNotAcquiredException | LockUnavailableException ex) {
			// The same exception out of the method is one of the method.
			if (entered.get()) {
				throw ex;
			}
			return call.refused(ex);
		}
	}

	// To interrupt this thread does not end the work of the future.
	private static @Nullable Object await(Future<?> future, LockHandle handle) throws Throwable {
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return future.get();
				}
				catch (ExecutionException ex) {
					throw (ex.getCause() != null) ? ex.getCause() : ex;
				}
				catch (InterruptedException ex) {
					if (handle.state() == LockState.LOST) {
						throw ex;
					}
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
