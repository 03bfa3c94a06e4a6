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

import java.util.Random;

import io.github.zklock.core.internal.LockKeys;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What other clients have written, and what this one writes, in a form that can be shown.
 */
class ForeignTextTests {

	@Test
	void plainValueIsNotCopied() {
		String value = "order-service ~ 42";
		assertThat(ForeignText.value(value)).isSameAs(value);
	}

	@Test
	void charactersThatCannotBeSeenBecomeSpaces() {
		assertThat(ForeignText.value("a\nb\u202Ec\u007Fd\uD800e")).isEqualTo("a b c d e");
	}

	@Test
	void valueIsCutBetweenTwoCharacters() {
		assertThat(ForeignText.value("x".repeat(201))).hasSize(200);
		assertThat(ForeignText.value("\uD83D\uDD12".repeat(201))).isEqualTo("\uD83D\uDD12".repeat(200));
	}

	@Test
	void plainAndOtherValuesAreCleanedByOneRule() {
		Random random = new Random(1);
		for (int i = 0; i < 20_000; i++) {
			int length = random.nextInt(210);
			StringBuilder value = new StringBuilder(length);
			for (int j = 0; j < length; j++) {
				value.append((char) random.nextInt(random.nextBoolean() ? 0x100 : 0x10000));
			}
			assertThat(ForeignText.value(value.toString())).isEqualTo(cleaned(value.toString()));
		}
	}

	private static String cleaned(String value) {
		StringBuilder cleaned = new StringBuilder();
		value.codePoints().limit(200).map((c) -> LockKeys.isInvisible(c) ? ' ' : c).forEach(cleaned::appendCodePoint);
		return cleaned.toString();
	}

}
