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
 * is refused at once, and its message names the limit. With Spring Boot, a bean of this
 * type sets the limits of the application. Immutable.
 *
 * @since 0.1.0
 */
public final class LockLimits {

	/**
	 * The limits unless others are given: 100 keys, 10,000 requests, 1,024 characters.
	 */
	public static final LockLimits DEFAULT = new LockLimits(100, 10_000, 1024);

	private final int keysPerCall;

	private final int waitersPerKey;

	private final int keyLength;

	private LockLimits(int keysPerCall, int waitersPerKey, int keyLength) {
		this.keysPerCall = positive("keysPerCall", keysPerCall);
		this.waitersPerKey = positive("waitersPerKey", waitersPerKey);
		this.keyLength = positive("keyLength", keyLength);
		if (keyLength > LockRequest.MAX_KEY_LENGTH) {
			throw new IllegalArgumentException(
					"keyLength " + keyLength + " is more than " + LockRequest.MAX_KEY_LENGTH + ": give less");
		}
	}

	/**
	 * Set how many keys a call may lock at once. The default is 100.
	 * @param number the number of keys
	 * @return the limits with that number
	 * @throws IllegalArgumentException if it is less than 1
	 */
	public LockLimits withKeysPerCall(int number) {
		return new LockLimits(number, this.waitersPerKey, this.keyLength);
	}

	/**
	 * Set how many requests of this process may wait for one key. The default is 10,000.
	 * @param number the number of requests
	 * @return the limits with that number
	 * @throws IllegalArgumentException if it is less than 1
	 */
	public LockLimits withWaitersPerKey(int number) {
		return new LockLimits(this.keysPerCall, number, this.keyLength);
	}

	/**
	 * Set how many characters a key may have. The default is 1,024.
	 * @param characters the number of characters
	 * @return the limits with that number
	 * @throws IllegalArgumentException if it is less than 1, or greater than
	 * {@link LockRequest#MAX_KEY_LENGTH}
	 */
	public LockLimits withKeyLength(int characters) {
		return new LockLimits(this.keysPerCall, this.waitersPerKey, characters);
	}

	/**
	 * Return how many keys a call may lock at once.
	 * @return the number of keys
	 */
	public int keysPerCall() {
		return this.keysPerCall;
	}

	/**
	 * Return how many requests of this process may wait for one key.
	 * @return the number of requests
	 */
	public int waitersPerKey() {
		return this.waitersPerKey;
	}

	/**
	 * Return how many characters a key may have.
	 * @return the number of characters
	 */
	public int keyLength() {
		return this.keyLength;
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
					+ " characters, more than the " + this.keyLength + " that LockLimits.keyLength allows: use an "
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
					+ " that LockLimits.keysPerCall allows: lock what the keys have in common", first);
		}
	}

	private static int positive(String name, int value) {
		if (value < 1) {
			throw new IllegalArgumentException(name + " " + value + " is not greater than zero: give 1 or more");
		}
		return value;
	}

	@Override
	public String toString() {
		return this.keysPerCall + " keys of " + this.keyLength + " characters per call, " + this.waitersPerKey
				+ " waiting requests per key";
	}

}
