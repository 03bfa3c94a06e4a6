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
import java.util.List;
import java.util.stream.Collectors;

import io.github.zklock.core.internal.LockKeys;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;

/**
 * The one place where what other clients have written to ZooKeeper becomes text. It could
 * forge lines of a log or be very long, so each value is cut and cleaned.
 */
public final class ForeignText {

	private static final int MAX_VALUE_LENGTH = 200;

	private static final int MOST_ACLS = 5;

	private static final String LETTERS = "rwcda";

	private ForeignText() {
	}

	/**
	 * Return the text of data for a parser, which shows none of it as it is.
	 * @param most how many bytes are read
	 */
	static String unparsed(byte[] data, int most) {
		return new String(data, 0, Math.min(data.length, most), StandardCharsets.UTF_8);
	}

	/**
	 * Return a value in a form that can be shown, and written again.
	 */
	static String value(String value) {
		if (isPlain(value)) {
			return value;
		}
		StringBuilder cleaned = new StringBuilder();
		int index = 0;
		for (int count = 0; count < MAX_VALUE_LENGTH && index < value.length(); count++) {
			int c = value.codePointAt(index);
			cleaned.appendCodePoint(LockKeys.isInvisible(c) ? ' ' : c);
			index += Character.charCount(c);
		}
		return cleaned.toString();
	}

	// Nearly all values are short and in ASCII, and are cleaned with every lock.
	private static boolean isPlain(String value) {
		for (int i = 0; i < value.length(); i++) {
			if (value.charAt(i) < ' ' || value.charAt(i) > '~') {
				return false;
			}
		}
		return value.length() <= MAX_VALUE_LENGTH;
	}

	/**
	 * Return an identity without what a password could be guessed from.
	 */
	public static String identity(String scheme, String id) {
		return LockKeys.abbreviate(scheme) + ":" + LockKeys.abbreviate(withoutHash(scheme, id));
	}

	private static String withoutHash(String scheme, String id) {
		int hash = scheme.equals("digest") ? id.indexOf(':') : -1;
		return (hash >= 0) ? id.substring(0, hash) : id;
	}

	/**
	 * Return the first entries of an ACL as {@code zkCli.sh} shows them, and the number
	 * of the others.
	 */
	public static String acls(List<ACL> acls) {
		String shown = acls.stream()
			.limit(MOST_ACLS)
			.map((acl) -> identity(acl.getId().getScheme(), acl.getId().getId()) + ":" + permissions(acl))
			.collect(Collectors.joining(","));
		return (acls.size() > MOST_ACLS) ? shown + " and " + (acls.size() - MOST_ACLS) + " more" : shown;
	}

	/**
	 * Return the ACL that the application wants, for a command.
	 */
	public static String wanted(List<ACL> acls) {
		return acls.stream().map((acl) -> {
			String scheme = acl.getId().getScheme();
			return scheme + ":" + LockKeys.printable(withoutHash(scheme, acl.getId().getId())) + ":" + permissions(acl);
		}).collect(Collectors.joining(","));
	}

	private static String permissions(ACL acl) {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < LETTERS.length(); i++) {
			if ((acl.getPerms() & Perms.READ << i) != 0) {
				text.append(LETTERS.charAt(i));
			}
		}
		return text.toString();
	}

}
