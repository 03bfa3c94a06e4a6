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

package io.github.zklock.transaction;

import io.github.zklock.core.LockHandle;

/**
 * Is notified of what fences do. A listener must be quick and must not throw.
 *
 * @since 0.1.0
 */
public interface FencingListener {

	/**
	 * Called when the fence of a lock was raised: from now on no earlier holder commits.
	 * @param handle the lock
	 */
	default void raised(LockHandle handle) {
	}

	/**
	 * Called when a lock was refused, because the database has seen a later holder.
	 * @param handle the lock
	 */
	default void raiseRefused(LockHandle handle) {
	}

	/**
	 * Called when a commit was refused, because the database has seen a later holder.
	 * @param handle the lock
	 */
	default void commitRefused(LockHandle handle) {
	}

}
