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

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whatever another client calls its nodes, a name is either exactly one of the grammar or
 * foreign, and nothing throws. {@code -Dseed=1} tries others.
 */
class NameFuzzTests {

	private static final int NAMES = 1_000_000;

	private static final long SEED = Long.getLong("seed", 42);

	private static final String CLIENT = "0b1f7d4e-53c1-4a61-9d77-3f9a1c07e2d8";

	private static final List<String> REAL = List.of("z8c31f00a2b-1-lock-0000000000",
			"z8c31f00a2b-1f-p12-lock-0000000007", "z8c31f00a2b-2-k-lock-0000000008",
			"z8c31f00a2b-3-s-__READ__2147483647", "z8c31f00a2b-4-__WRIT__0000000010",
			"_c_" + CLIENT + "-lock-0000000001", CLIENT + "-lock-0000000002", "_c_" + CLIENT + "-__READ__0000000003",
			"_c_" + CLIENT + "-__WRIT__0000000004", "_c_" + CLIENT.replace("-", "") + "-lock-0000000005",
			"z8c31f00a2b-1-1-least-60000-100", "z8c31f00a2b-1-f-rleast-31622400000-30000");

	private static final List<String> PARTS = List.of("z", "z0", "-", "p", "p2-", "k-", "s-", "lock-", "__READ__",
			"__WRIT__", "least-", "-rleast-", "_c_", CLIENT, "0000000001", "9999999999", "-1", "n", "0",
			"999999999999999999", "9223372036854775808", "\uff11\uff12", "\u0660", "\ud83d\ude00", "\ud800", "\0", "\n",
			"%", "/", "..", "");

	private static final Pattern CONTENDER = Pattern.compile(
			"(z[0-9a-f]{1,16}-[0-9a-f]{1,16}-((p[1-9][0-9]{0,9}-)?lock-|[ks]-(lock-|__READ__|__WRIT__)|__READ__|__WRIT__)"
					+ "|(_c_[0-9a-f]{32}|(_c_)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})-(lock-|__READ__|__WRIT__))"
					+ "[0-2][0-9]{9}");

	private static final Pattern STAMP = Pattern
		.compile("z[0-9a-f]{1,16}-[0-9a-f]{1,16}-[0-9a-f]{1,8}-r?least-[0-9]{1,11}-[0-9]{1,5}");

	private final SplittableRandom random = new SplittableRandom(SEED);

	@Test
	void realNamesAreUnderstood() {
		assertThat(REAL.subList(0, 10)).allMatch((name) -> QueueNode.parse(name) != null);
		assertThat(REAL.subList(10, 12)).allMatch((name) -> AtLeastStamp.parse(name) != null);
	}

	@Test
	void everyNameIsOfTheGrammarOrForeign() {
		int understood = 0;
		for (int i = 0; i < NAMES; i++) {
			String name = switch (i % 4) {
				case 0 -> mutated();
				case 1 -> assembled();
				case 2 -> arbitrary(0x80);
				default -> arbitrary(0x10000);
			};
			understood += isUnderstood(name) ? 1 : 0;
		}
		assertThat(understood).isBetween(NAMES / 100, NAMES / 2);
	}

	@Test
	void listingOfAnyNamesIsRead() {
		for (int i = 0; i < NAMES / 100; i++) {
			String[] names = new String[this.random.nextInt(20)];
			Arrays.setAll(names, (at) -> this.random.nextBoolean() ? mutated() : REAL.get(at % REAL.size()));
			QueueListing queue = QueueListing.of(List.of(names), REAL.get(0), (stamp) -> false);
			assertThat(queue.own() != null).isEqualTo(List.of(names).contains(REAL.get(0)));
		}
	}

	private boolean isUnderstood(String name) {
		QueueNode node = QueueNode.parse(name);
		AtLeastStamp stamp = AtLeastStamp.parse(name);
		int count = ((node != null) ? 1 : 0) + ((stamp != null) ? 1 : 0);
		if (count > 1 || (node != null && !isSound(node)) || (stamp != null && !isSound(stamp))) {
			throw new AssertionError("Misunderstood with seed " + SEED + ": " + name);
		}
		return count == 1;
	}

	private static boolean isSound(QueueNode node) {
		QueueNode.isCacheable("/locks/key/" + node.name());
		return CONTENDER.matcher(node.name()).matches() && node.permits() >= 1 && node.sequence() >= 0
				&& node.sequence() <= Integer.MAX_VALUE && node.name().endsWith(digits(node.sequence()));
	}

	private static String digits(long sequence) {
		String digits = "000000000" + sequence;
		return digits.substring(digits.length() - 10);
	}

	private static boolean isSound(AtLeastStamp stamp) {
		return STAMP.matcher(stamp.name()).matches() && stamp.atLeast().toDays() <= 366 && stamp.nanos() >= 0;
	}

	private String mutated() {
		StringBuilder name = new StringBuilder(REAL.get(this.random.nextInt(REAL.size())));
		for (int changes = this.random.nextInt(3); changes >= 0; changes--) {
			int at = this.random.nextInt(name.length() + 1);
			switch (this.random.nextInt(4)) {
				case 0 -> name.insert(at, PARTS.get(this.random.nextInt(PARTS.size())));
				case 1 -> name.delete(at, Math.min(at + 1 + this.random.nextInt(3), name.length()));
				case 2 -> name.setLength(at);
				default -> name.insert(at, (char) ('0' + this.random.nextInt(10)));
			}
		}
		return name.toString();
	}

	private String assembled() {
		StringBuilder name = new StringBuilder();
		for (int parts = this.random.nextInt(8); parts >= 0; parts--) {
			name.append(PARTS.get(this.random.nextInt(PARTS.size())));
		}
		return name.toString();
	}

	// Few are long, so that all together take seconds.
	private String arbitrary(int characters) {
		int length = (this.random.nextInt(1000) == 0) ? this.random.nextInt(10_000) : this.random.nextInt(60);
		StringBuilder name = new StringBuilder(length);
		for (int i = 0; i < length; i++) {
			name.append((char) this.random.nextInt(characters));
		}
		return name.toString();
	}

}
