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

package io.github.zklock.zookeeper.node;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Turns a key into one path segment and back. Every character but letters, digits and
 * {@code _-:@+=,.} is percent-escaped as UTF-8, so different keys have different names
 * and no key nests in another. A name that would exceed {@value #MAX_LENGTH} bytes is cut
 * and ends in {@code ~} and the SHA-256 digest of the key.
 */
public final class KeyEncoding {

	public static final int MAX_LENGTH = 200;

	private static final int KEPT_LENGTH = 120;

	private static final String KEPT_PUNCTUATION = "_-:@+=,.";

	private static final HexFormat HEX = HexFormat.of().withUpperCase();

	private KeyEncoding() {
	}

	public static String encode(String key) {
		StringBuilder name = new StringBuilder(Math.min(key.length() * 2, MAX_LENGTH * 2));
		int kept = 0;
		boolean dots = key.equals(".") || key.equals("..");
		byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
		for (byte b : bytes) {
			if (isKept((char) (b & 0xFF)) && !dots) {
				name.append((char) b);
			}
			else {
				name.append('%').append(HEX.toHexDigits(b));
			}
			if (name.length() <= KEPT_LENGTH) {
				kept = name.length();
			}
			if (name.length() > MAX_LENGTH) {
				return name.substring(0, kept) + "~" + HexFormat.of().formatHex(sha256(bytes));
			}
		}
		return name.toString();
	}

	/**
	 * Return the key of a name.
	 * @param name a name that {@link #encode} returned
	 * @return the key, or the name itself if it was cut
	 */
	public static String decode(String name) {
		if (isCut(name)) {
			return name;
		}
		byte[] bytes = new byte[name.length()];
		int length = 0;
		for (int i = 0; i < name.length(); i++) {
			if (name.charAt(i) == '%') {
				bytes[length++] = (byte) HexFormat.fromHexDigits(name, i + 1, i + 3);
				i += 2;
			}
			else {
				bytes[length++] = (byte) name.charAt(i);
			}
		}
		return new String(bytes, 0, length, StandardCharsets.UTF_8);
	}

	static boolean isCut(String name) {
		return name.indexOf('~') >= 0;
	}

	private static boolean isKept(char c) {
		return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z')
				|| KEPT_PUNCTUATION.indexOf(c) >= 0;
	}

	static byte[] sha256(byte[] bytes) {
		try {
			return MessageDigest.getInstance("SHA-256").digest(bytes);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

}
