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

package io.github.zklock.bridge.shedlock;

import java.time.Duration;
import java.util.Optional;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockState;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * A held lock of ShedLock.
 */
final class HandleLock extends AbstractSimpleLock {

	private final LockHandle handle;

	HandleLock(LockHandle handle, LockConfiguration configuration) {
		super(configuration);
		this.handle = handle;
	}

	@Override
	protected void doUnlock() {
		this.handle.release();
		LockLostException loss = LockLostException.of(this.handle);
		if (loss != null) {
			throw loss;
		}
	}

	/**
	 * There is nothing to extend, but the answer says whether the lock is still held. The
	 * minimum time was set with the grant.
	 */
	@Override
	protected Optional<SimpleLock> doExtend(LockConfiguration extended) {
		Duration atLeast = extended.getLockAtLeastFor();
		if (!atLeast.isZero()) {
			throw new UnsupportedOperationException("Lock '" + extended.getName() + "' cannot be extended to be kept "
					+ "for at least " + atLeast + ": zk-lock writes that time down when it grants a lock. Extend it "
					+ "by a lockAtLeastFor of zero, and say in @SchedulerLock how long it is kept");
		}
		return (this.handle.state() == LockState.HELD) ? Optional.of(new HandleLock(this.handle, extended))
				: Optional.empty();
	}

}
