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

package io.github.zklock.fencing;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The two rows of a lock: one for the holders that exclude all others, one for those that
 * read. They are named after the lock and the lock space, since the tokens of two spaces
 * cannot be compared.
 *
 * @param writers the row of the {@code EXCLUSIVE} and {@code WRITE} holders
 * @param readers the row of the {@code READ} holders
 */
record FenceRows(String writers, String readers) {

	static final int MAX_LENGTH = 255;

	private static final String OF_READERS = "#r";

	static FenceRows of(String space, String key) {
		// A key must not be taken for a row of readers, nor for one of a root below this.
		String name = space + "/" + key.replace("%", "%25").replace("/", "%2F").replace("#", "##");
		if (name.length() + OF_READERS.length() > MAX_LENGTH || name.endsWith(" ")) {
			name = digest(name);
		}
		return new FenceRows(name, name + OF_READERS);
	}

	// Some databases ignore a blank at the end.
	private static String digest(String name) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
			return "sha256:" + HexFormat.of().formatHex(digest);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Each Java platform has SHA-256", ex);
		}
	}

}
