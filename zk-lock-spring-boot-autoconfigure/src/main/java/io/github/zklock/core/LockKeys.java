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
 * What may be a key.
 */
final class LockKeys {

	private static final int SHOWN_LENGTH = 100;

	private LockKeys() {
	}

	static void check(@Nullable String key) {
		if (key == null) {
			throw new LockKeyException("Lock key is null: give every call a key, since a missing one would make all "
					+ "such calls share one lock", null);
		}
		if (key.isBlank()) {
			throw new LockKeyException("Lock key '" + abbreviate(key) + "' is blank: give a key that says what is "
					+ "locked, like 'order:42'", key);
		}
		if (key.length() > LockRequest.MAX_KEY_LENGTH) {
			throw new LockKeyException("Lock key '" + abbreviate(key) + "' has " + key.length()
					+ " characters, more than the " + LockRequest.MAX_KEY_LENGTH + " allowed: use an identifier or a "
					+ "digest of the content", key);
		}
		int surrogate = unpairedSurrogate(key);
		if (surrogate >= 0) {
			throw new LockKeyException("Lock key has an unpaired surrogate at index " + surrogate
					+ ", so it is not text that can be encoded: build the key from whole characters", key);
		}
	}

	/**
	 * Return a key as messages show it: shortened, and without control characters, which
	 * could forge lines of a log.
	 */
	static String abbreviate(String key) {
		StringBuilder shown = new StringBuilder();
		key.codePoints()
			.limit(SHOWN_LENGTH)
			.map((c) -> Character.isISOControl(c) ? '?' : c)
			.forEach(shown::appendCodePoint);
		return (key.codePointCount(0, key.length()) > SHOWN_LENGTH) ? shown + "..." : shown.toString();
	}

	private static int unpairedSurrogate(String key) {
		for (int i = 0; i < key.length(); i++) {
			char c = key.charAt(i);
			if (Character.isHighSurrogate(c) && i + 1 < key.length() && Character.isLowSurrogate(key.charAt(i + 1))) {
				i++;
			}
			else if (Character.isSurrogate(c)) {
				return i;
			}
		}
		return -1;
	}

}
