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

import java.util.Collection;

import io.github.zklock.core.internal.LockKeys;

/**
 * How much one caller, or the callers of one key, may request. A request beyond a limit
 * is refused at once, and its message names the property of the limit.
 *
 * @param keysPerCall how many keys a call may lock at once
 * @param waitersPerKey how many requests of this process may wait for one key
 * @param keyLength how many characters a key may have
 * @since 0.1.0
 */
public record LockLimits(int keysPerCall, int waitersPerKey, int keyLength) {

	/**
	 * The limits unless others are given: 100 keys, 10,000 requests, 1,024 characters.
	 */
	public static final LockLimits DEFAULT = new LockLimits(100, 10_000, 1024);

	/**
	 * Check the values.
	 * @throws IllegalArgumentException if one of them is less than 1, or a key may be
	 * longer than {@link LockRequest#MAX_KEY_LENGTH}
	 */
	public LockLimits {
		positive("keysPerCall", keysPerCall);
		positive("waitersPerKey", waitersPerKey);
		positive("keyLength", keyLength);
		if (keyLength > LockRequest.MAX_KEY_LENGTH) {
			throw new IllegalArgumentException(
					"keyLength " + keyLength + " is more than " + LockRequest.MAX_KEY_LENGTH + ": give less");
		}
	}

	/**
	 * Check the length of the key of a request.
	 * @param request the request
	 * @throws LockKeyException if its key is too long
	 */
	public void checkKey(LockRequest request) {
		String key = request.key();
		if (key.length() > this.keyLength) {
			throw new LockKeyException("Lock key '" + LockKeys.abbreviate(key) + "' has " + key.length()
					+ " characters, more than the " + this.keyLength + " that zk-lock.limits.key-length allows: use an "
					+ "identifier or a digest of the content", key);
		}
	}

	/**
	 * Check the number of the keys that one call locks.
	 * @param requests the requests of the call, one for each key
	 * @throws LockKeyException if there are too many
	 */
	public void checkKeys(Collection<LockRequest> requests) {
		if (requests.size() > this.keysPerCall) {
			String first = requests.iterator().next().key();
			throw new LockKeyException("A call locks " + requests.size() + " keys, '" + LockKeys.abbreviate(first)
					+ "' and more, which is more than the " + this.keysPerCall
					+ " that zk-lock.limits.keys-per-call allows: lock what the keys have in common", first);
		}
	}

	private static void positive(String name, int value) {
		if (value < 1) {
			throw new IllegalArgumentException(name + " " + value + " is not greater than zero: give 1 or more");
		}
	}

}
