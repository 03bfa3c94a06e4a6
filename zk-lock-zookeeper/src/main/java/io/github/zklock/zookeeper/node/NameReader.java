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

import org.jspecify.annotations.Nullable;

/**
 * Reads the name of a node from the left to the right, ASCII characters only. A part that
 * does not fit leaves the reader where it was, and nothing throws.
 */
final class NameReader {

	// A longer name does not follow the grammar.
	private static final int LONGEST_NAME = 160;

	private static final int MOST_PROCESS_DIGITS = 16;

	private static final int MOST_COUNT_DIGITS = 16;

	private static final String DIGITS = "0123456789";

	private static final String HEX_DIGITS = DIGITS + "abcdef";

	private final String name;

	private int position;

	private NameReader(String name) {
		this.name = name;
	}

	/**
	 * Return a reader, or {@code null} if the name is too long for any grammar.
	 */
	static @Nullable NameReader of(String name) {
		return (name.length() <= LONGEST_NAME) ? new NameReader(name) : null;
	}

	/**
	 * Read {@code z<process>-<number>-}.
	 */
	boolean contender() {
		return text("z") && hex(1, MOST_PROCESS_DIGITS) && text("-") && hex(1, MOST_COUNT_DIGITS) && text("-");
	}

	/**
	 * Read {@code _c_<uuid>-} or {@code <uuid>-}, as Curator's recipes write it, or
	 * {@code _c_<uuid without dashes>-}, as clients in Go do.
	 */
	boolean curatorClient() {
		if (text("_c_") && hex(32, 32)) {
			return text("-");
		}
		return hex(8, 8) && text("-") && hex(4, 4) && text("-") && hex(4, 4) && text("-") && hex(4, 4) && text("-")
				&& hex(12, 12) && text("-");
	}

	boolean text(String text) {
		if (this.name.startsWith(text, this.position)) {
			this.position += text.length();
			return true;
		}
		return false;
	}

	/**
	 * Read as many hexadecimal digits in lower case as there are.
	 * @return whether there were enough, and not too many
	 */
	boolean hex(int least, int most) {
		int end = this.position;
		while (end < this.name.length() && HEX_DIGITS.indexOf(this.name.charAt(end)) >= 0) {
			end++;
		}
		int length = end - this.position;
		if (length < least || length > most) {
			return false;
		}
		this.position = end;
		return true;
	}

	/**
	 * Read as many decimal digits as there are. Only a number of a fixed length may begin
	 * with zeros.
	 * @param least how many there are at least
	 * @param most how many there are at most, not more than 18
	 * @param greatest the greatest number that is allowed
	 * @return the number, or -1 if there is none that fits
	 */
	long number(int least, int most, long greatest) {
		long number = 0;
		int end = this.position;
		while (end < this.name.length() && end - this.position <= most && DIGITS.indexOf(this.name.charAt(end)) >= 0) {
			number = number * 10 + (this.name.charAt(end) - '0');
			end++;
		}
		int length = end - this.position;
		boolean padded = least < most && length > 1 && this.name.charAt(this.position) == '0';
		if (length < least || length > most || number > greatest || padded) {
			return -1;
		}
		this.position = end;
		return number;
	}

	/**
	 * Return what was read since a position.
	 */
	String since(int start) {
		return this.name.substring(start, this.position);
	}

	int position() {
		return this.position;
	}

	boolean isAtEnd() {
		return this.position == this.name.length();
	}

}
