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

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockScope;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.OnLost;
import org.jspecify.annotations.Nullable;

/**
 * Runs a call inside a transaction, which keeps the locks when the call has ended: also
 * when the method has thrown, since the transaction may go on.
 */
final class TransactionBoundExecution implements LockExecution {

	private final LockOperations operations;

	TransactionBoundExecution(LockOperations operations) {
		this.operations = operations;
	}

	@Override
	public @Nullable Object execute(LockCall call) throws Throwable {
		TransactionLocks locks = TransactionLocks.ofTransaction();
		LockHandle handle;
		try {
			// Another thread may complete the transaction.
			handle = this.operations
				.acquire(LockScope.own(call.requests(), Thread.currentThread(), LockScope.ofThread()));
		}
		catch (LockNotAcquiredException | LockUnavailableException ex) {
			return call.refused(ex);
		}
		OnLost onLost = call.requests().get(0).onLost();
		locks.add(handle, onLost);
		return run(call, handle, onLost);
	}

	private static @Nullable Object run(LockCall call, LockHandle handle, OnLost onLost) throws Throwable {
		Object result;
		try {
			LockScope scope = new LockScope(handle, call.requests(), Thread.currentThread(), onLost,
					LockScope.ofThread());
			result = scope.<@Nullable Object, Throwable>call((held) -> call.end(call.proceed(held)));
		}
		catch (Throwable ex) {
			LockLostException loss = LockLostException.of(handle);
			if (loss != null) {
				ex.addSuppressed(loss);
			}
			throw ex;
		}
		LockLostException loss = (onLost != OnLost.IGNORE) ? LockLostException.of(handle) : null;
		if (loss != null) {
			throw loss;
		}
		return result;
	}

}
