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

package io.github.zklock.autoconfigure;

import io.github.zklock.core.LockLimits;

/**
 * How much one caller, or the callers of one key, may ask for, and how many threads call
 * back.
 *
 * @since 0.1.0
 */
public class ZkLockLimitsProperties {

	/**
	 * Number of keys that one call may lock.
	 */
	private int keysPerCall = 100;

	/**
	 * Number of requests of this process that may wait for one key.
	 */
	private int waitersPerKey = 10000;

	/**
	 * Number of characters that a key may have, at most 65536.
	 */
	private int keyLength = 1024;

	/**
	 * Number of threads for callbacks of asynchronous locks and of lost locks. More are
	 * started while none of them ends within a second.
	 */
	private int callbackThreads = 64;

	public int getKeysPerCall() {
		return this.keysPerCall;
	}

	public void setKeysPerCall(int keysPerCall) {
		this.keysPerCall = keysPerCall;
	}

	public int getWaitersPerKey() {
		return this.waitersPerKey;
	}

	public void setWaitersPerKey(int waitersPerKey) {
		this.waitersPerKey = waitersPerKey;
	}

	public int getKeyLength() {
		return this.keyLength;
	}

	public void setKeyLength(int keyLength) {
		this.keyLength = keyLength;
	}

	public int getCallbackThreads() {
		return this.callbackThreads;
	}

	public void setCallbackThreads(int callbackThreads) {
		this.callbackThreads = callbackThreads;
	}

	LockLimits toLimits() {
		return new LockLimits(this.keysPerCall, this.waitersPerKey, this.keyLength);
	}

}
