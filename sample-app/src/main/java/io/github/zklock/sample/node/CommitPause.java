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

package io.github.zklock.sample.node;

import java.util.List;
import java.util.function.Supplier;

import io.github.zklock.core.LockHandle;
import io.github.zklock.transaction.LockCommitListener;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionExecution;

/**
 * Lets a thread stand still when its lock was checked and its transaction is about to
 * commit. A long garbage collection may do the same at this point.
 *
 * @since 0.1.0
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
public class CommitPause implements LockCommitListener.Check {

	private final ThreadLocal<@Nullable Runnable> pause = new ThreadLocal<>();

	/**
	 * Call what commits a transaction under a lock.
	 * @param <T> the type of the result
	 * @param pause what to do before the commit
	 * @param call what to call
	 * @return what the call returned
	 */
	public <T> T call(Runnable pause, Supplier<T> call) {
		this.pause.set(pause);
		try {
			return call.get();
		}
		finally {
			this.pause.remove();
		}
	}

	@Override
	public void beforeCommit(TransactionExecution transaction, List<LockHandle> locks) {
		Runnable pause = this.pause.get();
		if (pause != null) {
			pause.run();
		}
	}

}
