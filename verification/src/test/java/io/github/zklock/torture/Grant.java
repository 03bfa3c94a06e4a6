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

package io.github.zklock.torture;

import io.github.zklock.core.LockMode;

/**
 * One tenure of a lock as the judge saw it. All times are readings of the monotonic
 * clock, which the processes of one machine share.
 */
final class Grant {

	final String worker;

	final String key;

	final LockMode mode;

	final long token;

	// When the worker had it, and when it told the judge, who let it begin.
	final long acquired;

	final long entered;

	volatile long exited = Long.MAX_VALUE;

	volatile long lost = Long.MAX_VALUE;

	// How long ago it had looked at the lock before the look that made it go.
	long unawareMillis;

	int accepted;

	int rejected;

	// Writes that the holder itself did not believe in any more.
	int doubted;

	Grant(String worker, String key, LockMode mode, long token, long acquired, long entered) {
		this.worker = worker;
		this.key = key;
		this.mode = mode;
		this.token = token;
		this.acquired = acquired;
		this.entered = entered;
	}

	boolean excludes(Grant other) {
		return this.mode != LockMode.READ || other.mode != LockMode.READ;
	}

	/**
	 * Return whether this tenure is the later one, by token, or, without tokens, by time.
	 */
	boolean isAfter(Grant other) {
		return (this.token != other.token) ? this.token > other.token : this.entered > other.entered;
	}

	boolean isOpen() {
		return this.exited == Long.MAX_VALUE;
	}

	boolean isLost() {
		return this.lost != Long.MAX_VALUE;
	}

	@Override
	public String toString() {
		return this.worker + " " + this.mode + " '" + this.key + "' token 0x" + Long.toHexString(this.token);
	}

}
