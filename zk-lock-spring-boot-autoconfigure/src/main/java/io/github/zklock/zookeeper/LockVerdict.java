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

package io.github.zklock.zookeeper;

import java.util.function.Supplier;

import io.github.zklock.core.LockException;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt ended. The exception is made by whoever throws it, so that its trace
 * shows the caller.
 *
 * @param handle the lock, if it was granted
 * @param failure why it was not
 */
record LockVerdict(@Nullable ZooKeeperLockHandle handle, @Nullable Supplier<LockException> failure) {

	ZooKeeperLockHandle handleOrThrow() {
		if (this.handle != null) {
			return this.handle;
		}
		if (this.failure != null) {
			throw this.failure.get();
		}
		throw new IllegalStateException("Neither a lock nor a reason");
	}

	/**
	 * Release a lock that nobody has used.
	 */
	void releaseQuietly() {
		if (this.handle != null) {
			this.handle.forgo();
		}
	}

}
