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
 * Why a lock was lost.
 *
 * @since 0.1.0
 * @see LockLostException#getLoss()
 */
public enum LockLoss {

	/**
	 * The session in which the lock lived has ended.
	 */
	SESSION_ENDED("its session has ended"),

	/**
	 * The backend did not confirm the session in time, so that it may have ended: usually
	 * an interrupted connection, or a paused process.
	 */
	LEASE_ENDED("its session was not confirmed in time and may have ended"),

	/**
	 * The backend's entry for the lock was deleted by another party.
	 */
	NODE_DELETED("its node was deleted by another client"),

	/**
	 * An error has hit the lock engine of the process, such as a lack of memory. It ends
	 * all locks of that process.
	 */
	ENGINE_FAILED("an error has hit the lock engine of this process, and the log names it"),

	/**
	 * The provider was shut down, and the lock was not released in time.
	 */
	SHUT_DOWN("it was not released in time when its provider was shut down");

	private final String text;

	LockLoss(String text) {
		this.text = text;
	}

	/**
	 * Return the reason in the words of a message.
	 */
	@Override
	public String toString() {
		return this.text;
	}

}
