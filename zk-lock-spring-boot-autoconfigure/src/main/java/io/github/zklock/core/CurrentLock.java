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

import org.jspecify.annotations.Nullable;

/**
 * The innermost lock under which a thread runs.
 */
final class CurrentLock {

	private static final ThreadLocal<@Nullable LockHandle> CURRENT = new ThreadLocal<>();

	private CurrentLock() {
	}

	static @Nullable LockHandle get() {
		return CURRENT.get();
	}

	/**
	 * Make the handle the current one.
	 * @param handle the handle, or {@code null} for none
	 * @return the handle that was current before, to be set again afterwards
	 */
	static @Nullable LockHandle set(@Nullable LockHandle handle) {
		LockHandle previous = CURRENT.get();
		if (handle != null) {
			CURRENT.set(handle);
		}
		else {
			CURRENT.remove();
		}
		return previous;
	}

}
