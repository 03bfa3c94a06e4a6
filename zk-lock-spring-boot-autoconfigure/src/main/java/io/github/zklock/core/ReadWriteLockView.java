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

package io.github.zklock.core;

import java.util.concurrent.locks.ReadWriteLock;

/**
 * One key as a {@link ReadWriteLock} of the JDK. Its locks have the modes
 * {@link LockMode#READ} and {@link LockMode#WRITE}, so they and
 * {@link LockOperations#asLock(String)} of the same key exclude each other as the modes
 * do. A thread that has locked for writing may lock for reading as well. Others can read
 * when it has released both. To lock for writing while reading is refused at once with a
 * {@link LockUpgradeException}.
 *
 * @since 0.1.0
 * @see LockOperations#asReadWriteLock(String)
 */
public final class ReadWriteLockView implements ReadWriteLock {

	private final LockView readLock;

	private final LockView writeLock;

	ReadWriteLockView(LockOperations operations, String key) {
		LockRequest request = LockRequest.of(key);
		this.readLock = new LockView(operations, request.withMode(LockMode.READ));
		this.writeLock = new LockView(operations, request.withMode(LockMode.WRITE));
	}

	@Override
	public LockView readLock() {
		return this.readLock;
	}

	@Override
	public LockView writeLock() {
		return this.writeLock;
	}

}
