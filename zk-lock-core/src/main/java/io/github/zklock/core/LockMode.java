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

/**
 * How a lock shares its key with others. All modes live in one lock space: on one key
 * they exclude each other in every combination except {@link #READ} with {@link #READ}.
 *
 * @since 0.1.0
 */
public enum LockMode {

	/**
	 * One holder and no other. The same strength as {@link #WRITE}; the name for a key
	 * that has no readers. A plain Curator {@code InterProcessMutex} on the same path
	 * takes part in this mode.
	 */
	EXCLUSIVE,

	/**
	 * Any number of readers, no {@link #WRITE} and no {@link #EXCLUSIVE} holder.
	 */
	READ,

	/**
	 * One holder and no other; the counterpart of {@link #READ}. The write lock of a
	 * Curator {@code InterProcessReadWriteLock} on the same path takes part in this mode.
	 */
	WRITE;

	/**
	 * Return whether two holders in these modes may hold one key at the same time.
	 * @param other the mode of the other holder
	 * @return {@code true} for {@link #READ} beside {@link #READ}
	 */
	public boolean isCompatibleWith(LockMode other) {
		return this == READ && other == READ;
	}

}
