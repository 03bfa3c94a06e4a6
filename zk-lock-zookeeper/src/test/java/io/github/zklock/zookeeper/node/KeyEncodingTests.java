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

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLimits;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.zookeeper.common.PathUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * Different keys have different names, every name is one that ZooKeeper takes, and a key
 * can be read in its name.
 */
@Tag("server")
class KeyEncodingTests {

	private static final String ALPHABET = "abcXYZ019_-:@+=,./%~ \t\n\0\u007f\u0085\u00a0\u00e4\u20ac\ufeff\uffff";

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			orders:42                | orders:42
			a_b-c@d+e=f,g.h          | a_b-c@d+e=f,g.h
			a/b                      | a%2Fb
			/                        | %2F
			//                       | %2F%2F
			a%2Fb                    | a%252Fb
			.                        | %2E
			..                       | %2E%2E
			...                      | ...
			a b                      | a%20b
			~                        | %7E
			\u00e4                   | %C3%A4
			\ud83d\ude00             | %F0%9F%98%80
			zookeeper                | zookeeper
			"#{x} 'y' \\"            | %23%7Bx%7D%20%27y%27%20%5C
			""")
	void keyHasAReadableName(String key, String name) {
		assertThat(LockPaths.encode(key)).isEqualTo(name);
		assertThat(LockPaths.decode(name)).isEqualTo(key);
	}

	@Test
	void randomKeysHaveDifferentNamesThatCanBeReadBack() {
		Random random = new Random(42);
		Map<String, String> keys = new HashMap<>();
		for (int i = 0; i < 20_000; i++) {
			String key = randomKey(random, 40);
			String name = LockPaths.encode(key);
			String other = keys.put(name, key);
			assertThat(other == null || other.equals(key)).as("'%s' and '%s' are both %s", key, other, name).isTrue();
			assertThat(name.length()).isLessThanOrEqualTo(LockPaths.MAX_NAME_LENGTH);
			assertThat(name).doesNotContain("/").isNotIn(".", "..", "");
			PathUtils.validatePath("/locks/" + name);
			if (!LockPaths.isCut(name)) {
				assertThat(LockPaths.decode(name)).isEqualTo(key);
			}
		}
		assertThat(keys).hasSizeGreaterThan(19_000);
	}

	@Test
	void longKeysAreCutAndStayDifferent() {
		String common = "x".repeat(5000);
		String one = LockPaths.encode(common + "1");
		String two = LockPaths.encode(common + "2");
		assertThat(one).hasSizeLessThanOrEqualTo(LockPaths.MAX_NAME_LENGTH).startsWith("xxx").isNotEqualTo(two);
		assertThat(one).matches("x{100,}~[0-9a-f]{64}");
		assertThat(LockPaths.isCut(one)).isTrue();
		assertThat(LockPaths.encode(one)).isNotEqualTo(one);
	}

	@Test
	void cutNeverSplitsAnEscape() {
		for (int length = 60; length < 220; length++) {
			String name = LockPaths.encode("x".repeat(length) + "\u20ac".repeat(100));
			assertThat(name.substring(0, name.indexOf('~'))).matches("x*(%[0-9A-F]{2})*");
		}
	}

	@Test
	void lengthLimitIsExact() {
		String longest = "x".repeat(LockPaths.MAX_NAME_LENGTH);
		assertThat(LockPaths.encode(longest)).isEqualTo(longest);
		assertThat(LockPaths.isCut(LockPaths.encode(longest + "x"))).isTrue();
	}

	// Named by number: a report cannot show every key.
	@ParameterizedTest(name = "{index}")
	@ValueSource(
			strings = { ".", "..", "/", "a//b", "zookeeper", "\u00a0", "a\u2028b", "\ud83d\ude00", "a b", "%", "~" })
	void everyKeyCanBeLocked(String key) {
		try (LockClient<ZooKeeperLockProvider> client = LockClient.connect(server.connectString(),
				Duration.ofSeconds(20),
				(curator) -> ZooKeeperLockProvider.builder(curator).tryTimeout(FaultScenario.WAIT).build())) {
			lock(client, key);
		}
	}

	@Test
	void longestKeyAndRandomKeysCanBeLocked() {
		Random random = new Random(43);
		try (LockClient<ZooKeeperLockProvider> client = LockClient.connect(server.connectString(),
				Duration.ofSeconds(20),
				(curator) -> ZooKeeperLockProvider.builder(curator)
					.limits(LockLimits.DEFAULT.withKeyLength(LockRequest.MAX_KEY_LENGTH))
					.tryTimeout(FaultScenario.WAIT)
					.build())) {
			lock(client, "\u20ac".repeat(LockRequest.MAX_KEY_LENGTH));
			for (int i = 0; i < 300; i++) {
				lock(client, randomKey(random, 40).replaceAll("\\p{Cc}", "") + "x");
			}
		}
	}

	private static void lock(LockClient<ZooKeeperLockProvider> client, String key) {
		assertThatCode(() -> {
			LockHandle handle = client.locks().acquire(LockRequest.of(key));
			assertThat(server.children(client.locks().pathOf(key))).hasSize(1);
			handle.release();
		}).doesNotThrowAnyException();
	}

	private static String randomKey(Random random, int maxLength) {
		StringBuilder key = new StringBuilder();
		for (int length = 1 + random.nextInt(maxLength); length > 0; length--) {
			if (random.nextInt(20) == 0) {
				key.appendCodePoint(0x1F600 + random.nextInt(60));
			}
			else {
				key.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
			}
		}
		return key.toString();
	}

}
