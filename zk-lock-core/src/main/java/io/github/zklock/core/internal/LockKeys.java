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

package io.github.zklock.core.internal;

import java.util.Collection;
import java.util.stream.Collectors;

import io.github.zklock.core.LockKeyException;
import io.github.zklock.core.LockMode;
import org.jspecify.annotations.Nullable;

/**
 * Checks keys and names, and formats them for messages.
 *
 * @since 0.1.0
 */
public final class LockKeys {

	/**
	 * The greatest length of a key, in characters.
	 */
	public static final int MAX_LENGTH = 65536;

	private static final int SHOWN_LENGTH = 100;

	private static final int MOST_NAMES = 5;

	// What else has Unicode's property Default_Ignorable_Code_Point: pairs of the first
	// and
	// the last code point, in ascending order.
	private static final int[] IGNORABLE = { 0x34f, 0x34f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180f, 0x2065,
			0x2065, 0x3164, 0x3164, 0xfe00, 0xfe0f, 0xffa0, 0xffa0, 0xfff0, 0xfff8, 0xe0000, 0xe0fff };

	private LockKeys() {
	}

	/**
	 * Check a key.
	 * @param key the key
	 * @throws LockKeyException if it is not allowed
	 */
	public static void check(@Nullable String key) {
		if (key == null) {
			throw new LockKeyException("Lock key is null: give every call a key, since a missing one would make all "
					+ "such calls share one lock", null);
		}
		if (key.isBlank()) {
			throw new LockKeyException("Lock key '" + abbreviate(key) + "' is blank: give a key that says what is "
					+ "locked, like 'order:42'", key);
		}
		if (key.length() > MAX_LENGTH) {
			throw new LockKeyException(
					"Lock key '" + abbreviate(key) + "' has " + key.length() + " characters, more than the "
							+ MAX_LENGTH + " allowed: use an identifier or a " + "digest of the content",
					key);
		}
		int control = control(key);
		if (control >= 0) {
			throw new LockKeyException("Lock key '" + abbreviate(key) + "' has the control character "
					+ String.format("U+%04X", (int) key.charAt(control)) + " at index " + control
					+ ": build the key from printable text, or encode what may be in it", key);
		}
		int surrogate = unpairedSurrogate(key);
		if (surrogate >= 0) {
			throw new LockKeyException("Lock key has an unpaired surrogate at index " + surrogate
					+ ", so it is not text that can be encoded: build the key from whole characters", key);
		}
	}

	/**
	 * Say why a name is not allowed: no property {@code zk-lock.locks.<name>.*} could
	 * match it, or it could forge a line of a log.
	 * @param name the name
	 * @return the problem, or {@code null} if the name is allowed
	 */
	public static @Nullable String nameProblem(String name) {
		if (name.indexOf('.') >= 0) {
			return "has a dot, which ends the name in zk-lock.locks.<name>.*";
		}
		if (control(name) >= 0) {
			return "has a control character";
		}
		return hasLetterOrDigit(name) ? null
				: "has no letter and no digit, so that no property zk-lock.locks.<name>.* matches it";
	}

	// Without a stream, since each call of a guarded method comes here.
	private static boolean hasLetterOrDigit(String name) {
		for (int i = 0; i < name.length(); i += Character.charCount(name.codePointAt(i))) {
			if (Character.isLetterOrDigit(name.codePointAt(i))) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Describe a lock in a message or a line of a log, which its key cannot forge.
	 * @param key the key
	 * @param mode the mode
	 * @return text like {@code Lock 'orders:42' (WRITE)}
	 */
	public static String describe(String key, LockMode mode) {
		return "Lock '" + abbreviate(key) + "' (" + mode + ")";
	}

	/**
	 * Return a key, or another text of a user, as messages show it: shortened and
	 * printable.
	 * @param text the text
	 * @return the shown text
	 */
	public static String abbreviate(String text) {
		return (text.codePointCount(0, text.length()) > SHOWN_LENGTH)
				? printable(text.substring(0, text.offsetByCodePoints(0, SHOWN_LENGTH))) + "..." : printable(text);
	}

	/**
	 * Return the first of some names as messages show them, and the number of the others.
	 * @param names the names, which another client may have chosen
	 * @return the shown text
	 */
	public static String some(Collection<String> names) {
		String shown = names.stream().limit(MOST_NAMES).map(LockKeys::abbreviate).collect(Collectors.joining(", "));
		int more = names.size() - MOST_NAMES;
		return (more > 0) ? shown + " and " + more + " more" : shown;
	}

	/**
	 * Return a text with invisible characters escaped: they could forge lines of a log,
	 * or make two keys look the same.
	 * @param text the text
	 * @return the shown text
	 */
	public static String printable(String text) {
		if (text.codePoints().noneMatch(LockKeys::isInvisible)) {
			return text;
		}
		StringBuilder shown = new StringBuilder();
		text.codePoints().forEach((c) -> {
			if (isInvisible(c)) {
				for (char part : Character.toChars(c)) {
					shown.append(String.format("\\u%04X", (int) part));
				}
			}
			else {
				shown.appendCodePoint(c);
			}
		});
		return shown.toString();
	}

	/**
	 * Return the index of the first control character, or -1.
	 */
	private static int control(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (Character.isISOControl(text.charAt(i))) {
				return i;
			}
		}
		return -1;
	}

	/**
	 * Return whether a character shows nothing, or changes how other text is shown.
	 * Spaces are not invisible.
	 * @param c the code point
	 * @return whether it is invisible
	 */
	public static boolean isInvisible(int c) {
		return switch (Character.getType(c)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.SURROGATE ->
				true;
			default -> isIgnorable(c);
		};
	}

	private static boolean isIgnorable(int c) {
		for (int i = 0; i < IGNORABLE.length && IGNORABLE[i] <= c; i += 2) {
			if (c <= IGNORABLE[i + 1]) {
				return true;
			}
		}
		return false;
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

	/**
	 * Refuse a request that has more than one of several settings.
	 * @param key the key of the request
	 * @param settings the settings, {@code null} for each that it does not have
	 */
	public static void checkOneOf(String key, @Nullable Object... settings) {
		Object first = null;
		for (Object setting : settings) {
			if (first != null && setting != null) {
				throw invalid(key, first + " and " + setting + " cannot be combined; use only one");
			}
			first = (setting != null) ? setting : first;
		}
	}

	/**
	 * Return the exception for a request that cannot be.
	 * @param key the key of the request
	 * @param problem what is wrong
	 * @return the exception
	 */
	public static IllegalArgumentException invalid(String key, String problem) {
		return new IllegalArgumentException("Lock '" + abbreviate(key) + "': " + problem);
	}

}
