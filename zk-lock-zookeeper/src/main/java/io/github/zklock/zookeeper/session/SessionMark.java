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

package io.github.zklock.zookeeper.session;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

/**
 * A short one-way mark of a session, the same on every node. The id of a session is a
 * secret. The servers compute its password from it, so a client that knows the id can end
 * the session.
 */
public final class SessionMark {

	private static final int LENGTH = 3;

	private SessionMark() {
	}

	/**
	 * Return the mark of a session.
	 * @param id the id of the session, 0 for none
	 * @return the mark, {@code null} for none
	 */
	public static @Nullable String of(long id) {
		return (id != 0) ? HexFormat.of().formatHex(digest(id), 0, LENGTH) : null;
	}

	private static byte[] digest(long id) {
		try {
			return MessageDigest.getInstance("SHA-256").digest(ByteBuffer.allocate(Long.BYTES).putLong(id).array());
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

}
