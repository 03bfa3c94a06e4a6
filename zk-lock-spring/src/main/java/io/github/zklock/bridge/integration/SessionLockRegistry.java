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

package io.github.zklock.bridge.integration;

import java.time.Duration;
import java.util.concurrent.locks.Lock;

import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockView;

import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.util.Assert;

/**
 * Spring Integration's lock registry on our locks, for all its lines. In 6.5 a registry
 * has no type parameter; in 7.x its locks are {@code DistributedLock}s, too. It keeps
 * nothing: two locks of one key are equal, and there are none to expire.
 * <p>
 * The key is the text of the registry's key after {@value #KEY_PREFIX}.
 *
 * @since 0.1.0
 * @see LockOperations#asLock(String)
 */
@SuppressWarnings("rawtypes")
public final class SessionLockRegistry implements RenewableLockRegistry {

	/**
	 * What the keys begin with.
	 */
	public static final String KEY_PREFIX = "integration:";

	private final LockOperations locks;

	/**
	 * Create the registry.
	 * @param locks where the locks come from
	 */
	public SessionLockRegistry(LockOperations locks) {
		this.locks = locks;
	}

	/**
	 * Return the lock of a key.
	 * @param lockKey the key: what has the same text is the same key
	 * @return the lock
	 */
	@Override
	public Lock obtain(Object lockKey) {
		return DistributedLocks.of(view(lockKey));
	}

	/**
	 * Check that the calling thread holds the lock. There is nothing to renew: it lives
	 * as long as the session.
	 * @param lockKey the key
	 * @throws IllegalStateException if the thread has not locked the key
	 * @throws io.github.zklock.core.LockLostException if the lock is not known to be held
	 * any more
	 */
	@Override
	public void renewLock(Object lockKey) {
		try {
			view(lockKey).handle().assertHeld();
		}
		catch (IllegalMonitorStateException ex) {
			throw new IllegalStateException(ex.getMessage(), ex);
		}
	}

	/**
	 * The same as {@link #renewLock(Object)}. Spring Integration 6.5 has no such method.
	 * @param lockKey the key
	 * @param ttl not used
	 */
	public void renewLock(Object lockKey, Duration ttl) {
		renewLock(lockKey);
	}

	private LockView view(Object lockKey) {
		Assert.notNull(lockKey, "'lockKey' must not be null");
		return this.locks.asLock(KEY_PREFIX + lockKey);
	}

}
