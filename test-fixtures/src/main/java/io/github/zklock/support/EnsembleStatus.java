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

package io.github.zklock.support;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server of an ensemble says of itself.
 *
 * @param mode {@code leader}, {@code follower}, or why it is neither
 * @param zxid the last transaction that it knows
 */
record EnsembleStatus(String mode, long zxid) {

	private static final Pattern ANSWER = Pattern.compile("Zxid: 0x(\\p{XDigit}+)\\s+Mode: (\\w+)");

	static EnsembleStatus parse(String answer) {
		Matcher matcher = ANSWER.matcher(answer);
		return matcher.find() ? new EnsembleStatus(matcher.group(2), Long.parseUnsignedLong(matcher.group(1), 16))
				: new EnsembleStatus(answer.strip(), 0);
	}

	boolean leads() {
		return this.mode.equals("leader");
	}

	boolean follows() {
		return this.mode.equals("follower");
	}

}
