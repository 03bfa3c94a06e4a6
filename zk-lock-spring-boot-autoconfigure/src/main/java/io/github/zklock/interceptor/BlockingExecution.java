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
 * Runs a call on the calling thread, which waits for the locks.
 */
class BlockingExecution implements LockExecution {

	private static final boolean TRANSACTIONS = ClassUtils.isPresent(
			"org.springframework.transaction.support.TransactionSynchronizationManager",
			BlockingExecution.class.getClassLoader());

	private final LockOperations operations;

	private final LockExecution transactionBound;

	BlockingExecution(LockOperations operations) {
		this.operations = operations;
		this.transactionBound = new TransactionLocks.Execution(operations);
	}

	@Override
	public @Nullable Object execute(LockCall plain) throws Throwable {
		LockCall call = plain.planned();
		if (TRANSACTIONS && call.operation().release() == Release.TRANSACTION
				&& TransactionLocks.isTransactionActive()) {
			return this.transactionBound.execute(call);
		}
		Body body = new Body(call);
		try {
			return this.operations.<@Nullable Object, Throwable>execute(call.requests(), body::run);
		}
		catch (LockNotAcquiredException | LockUnavailableException ex) {
			// The same exception out of the method is one of the method.
			if (body.entered) {
				throw ex;
			}
			return call.refused(ex);
		}
	}

	/**
	 * Call the method under its locks.
	 * @param call the call
	 * @param handle the locks
	 * @return what the method returned
	 * @throws Throwable what the method threw
	 */
	@Nullable Object proceed(LockCall call, LockHandle handle) throws Throwable {
		return call.end(call.proceed(handle));
	}

	private final class Body {

		private final LockCall call;

		private boolean entered;

		Body(LockCall call) {
			this.call = call;
		}

		@Nullable Object run(LockHandle handle) throws Throwable {
			this.entered = true;
			return proceed(this.call, handle);
		}

	}

	/**
	 * Runs a call of an {@code @Async} method on the thread it was handed over to, and
	 * holds the locks there until the future is done that the method returns. No other
	 * thread is parked by that: Spring waits for the future on this one anyway.
	 */
	static final class OfAsyncMethod extends BlockingExecution {

		OfAsyncMethod(LockOperations operations) {
			super(operations);
		}

		@Override
		@Nullable Object proceed(LockCall call, LockHandle handle) throws Throwable {
			Object result = call.proceed(handle);
			if (result instanceof Future<?> future) {
				try {
					call.end(await(future, handle));
				}
				catch (ExecutionException ex) {
					throw (ex.getCause() != null) ? ex.getCause() : ex;
				}
			}
			return result;
		}

		// To interrupt this thread does not end the work of the future.
		private static @Nullable Object await(Future<?> future, LockHandle handle)
				throws ExecutionException, InterruptedException {
			boolean interrupted = false;
			try {
				while (true) {
					try {
						return future.get();
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

}
