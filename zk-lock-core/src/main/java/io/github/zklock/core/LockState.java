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
 * What a {@link LockHandle} knows about its lock: {@code HELD <-> UNCERTAIN -> LOST}, or
 * {@code RELEASED}. {@link #LOST} and {@link #RELEASED} are final.
 *
 * @since 0.1.0
 */
public enum LockState {

	/**
	 * The lock is held, and the session it lives in is known to be alive.
	 */
	HELD,

	/**
	 * The connection is interrupted, or a confirmation is late. The lock is still held:
	 * the handle turns {@link #LOST} before another client can hold the lock, while only
	 * the network or a server fails. Turns into {@link #HELD} or {@link #LOST}.
	 */
	UNCERTAIN,

	/**
	 * The lock is gone without having been released, usually because its session expired.
	 */
	LOST,

	/**
	 * The lock was released by its holder.
	 */
	RELEASED

}
