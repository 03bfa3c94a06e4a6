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

import java.util.List;
import java.util.Random;

import io.github.zklock.core.LockRequest;

/**
 * Random texts of every kind that a caller may come up with.
 */
final class FuzzKeys {

	private static final List<String> PIECES = List.of("a", "/", "//", ".", "..", "%", "%2F", "~", "\0", " ", "\t",
			"\n", "\u007f", "\u00a0", "\u0300", "\ufeff", "\uffff", "\ud83d\ude00", "-lock-", "__READ__", "0000000001",
			"zookeeper", "{", "}", "$", "#");

	private FuzzKeys() {
	}

	static String next(Random random) {
		int kind = random.nextInt(1000);
		if (kind == 0) {
			return "x".repeat(1_000_000 + random.nextInt(100_000));
		}
		if (kind < 10) {
			return text(random, 2000 + random.nextInt(4000));
		}
		if (kind < 30) {
			return " \t\u2003".substring(random.nextInt(3)).repeat(random.nextInt(3));
		}
		if (kind < 60) {
			char alone = (char) (Character.MIN_SURROGATE + random.nextInt(0x800));
			return text(random, random.nextInt(10)) + alone + "x";
		}
		return (kind < 500) ? pieces(random) : text(random, 1 + random.nextInt(60));
	}

	static boolean isToBeRefused(String key) {
		return key.isBlank() || key.length() > LockRequest.MAX_KEY_LENGTH || key.codePoints()
			.anyMatch(
					(c) -> Character.isISOControl(c) || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
	}

	private static String pieces(Random random) {
		StringBuilder key = new StringBuilder();
		for (int i = random.nextInt(6); i >= 0; i--) {
			key.append(PIECES.get(random.nextInt(PIECES.size())));
		}
		return key.toString();
	}

	private static String text(Random random, int length) {
		StringBuilder key = new StringBuilder();
		while (key.length() < length) {
			int c = random.nextBoolean() ? ' ' + random.nextInt('~' - ' ' + 1)
					: random.nextInt(Character.MAX_CODE_POINT + 1);
			if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
				key.appendCodePoint(c);
			}
		}
		return key.toString();
	}

}
