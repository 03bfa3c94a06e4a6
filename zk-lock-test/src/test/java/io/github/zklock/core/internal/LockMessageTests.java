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

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockKeyException;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What messages say about locks, and that what comes from outside cannot forge them.
 */
class LockMessageTests {

	@Test
	void namesTheLockTheTimeAndTheHolder() {
		LockRequest request = LockRequest.of("orders:42").withMode(LockMode.WRITE).withWait(Duration.ofSeconds(5));
		LockHolder holder = LockHolder.of("app")
			.instance("app-7")
			.host("host-3")
			.pid(4711)
			.thread("main")
			.name("orders")
			.queuedFor(Duration.ofSeconds(2))
			.build();
		assertThat(new LockNotAcquiredException(request, Duration.ofSeconds(5), holder)).hasMessage(
				"Lock 'orders:42' (WRITE) not acquired within 5s; held by app-7 (host-3, pid 4711), in the queue for 2s");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, '\t', '\n', '\r', 0x1b, 0x7f, 0x85, 0x9f })
	void keyWithAControlCharacterIsRefused(int control) {
		String key = "\ud83d\ude00 a" + Character.toString(control) + "12:00 ERROR forged";
		String code = String.format("%04X", control);
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> LockRequest.of(key))
			.withMessage("Lock key '\ud83d\ude00 a\\u" + code + "12:00 ERROR forged' has the control character U+"
					+ code + " at index 4: build the key from printable text, or encode what may be in it")
			.satisfies((ex) -> assertThat(ex.getKey()).isEqualTo(key));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, '\n', 0x7f, 0x85 })
	void nameWithAControlCharacterIsRefused(int control) {
		LockRequest request = LockRequest.of("orders:42");
		assertThatIllegalArgumentException().isThrownBy(() -> request.withName("a" + Character.toString(control)))
			.withMessageStartingWith("Lock 'orders:42': the name 'a\\u00");
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', textBlock = """
			orders.ship, has a dot
			" ", has no letter and no digit
			--, has no letter and no digit
			""")
	void nameThatNoPropertyMatchesIsRefused(String name, String problem) {
		LockRequest request = LockRequest.of("orders:42");
		assertThatIllegalArgumentException().isThrownBy(() -> request.withName(name))
			.withMessageStartingWith("Lock 'orders:42': the name '" + name + "' " + problem)
			.withMessageEndingWith("; use letters, digits and dashes, such as 'report-job'");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0x2028, 0x2029, 0x202e, 0x2066, 0x200b, 0xfeff, 0xe0001, 0x34f, 0x115f, 0x1160, 0x17b4,
			0x17b5, 0x180b, 0x180f, 0x2065, 0x3164, 0xfe00, 0xfe0f, 0xffa0, 0xfff0, 0xfff8, 0xe0000, 0xe0100, 0xe0fff })
	void invisibleCharacterOfAKeyIsShown(int invisible) {
		String character = Character.toString(invisible);
		String shown = (invisible > 0xffff) ? "\\u" + hex(character.charAt(0)) + "\\u" + hex(character.charAt(1))
				: "\\u" + hex(character.charAt(0));
		LockRequest request = LockRequest.of("a" + character + "12:00 ERROR forged")
			.withWait(Duration.ZERO)
			.withName("n" + character);
		InMemoryLockProvider provider = new InMemoryLockProvider();
		LockHandle handle = provider.acquire(request);
		LockHandle raw = provider.acquireAsync(LockRequest.of("b" + character)).join();
		assertThat(Stream.of(request, handle, raw, new JointHandle(List.of(handle, raw)),
				new LockNotAcquiredException(request, Duration.ZERO, null),
				new LockLostException(request.key(), LockMode.READ, LockState.LOST)))
			.extracting(Object::toString)
			.allSatisfy((text) -> assertThat(text).contains(shown).doesNotContain(character));
	}

	@ParameterizedTest
	@ValueSource(ints = { 'a', 0xe4, 0x34e, 0x350, 0x115e, 0x1161, 0x3000, 0x4e2d, 0xfe10, 0xff9f, 0x1f600, 0xe1000 })
	void otherCharacterOfAKeyIsShownAsItIs(int visible) {
		String key = "a" + Character.toString(visible) + "b";
		assertThat(LockRequest.of(key)).asString().contains(key);
	}

	@Test
	void holderCannotForgeALineOfALog() {
		LockHolder holder = LockHolder.of("app\n12:00 ERROR")
			.instance("app\r7")
			.host("host\u20283")
			.pid(4711)
			.thread("main\n")
			.name("orders\n")
			.queuedFor(Duration.ofSeconds(2))
			.build();
		assertThat(holder).hasToString("app\\u000D7 (host\\u20283, pid 4711), in the queue for 2s");
	}

	private static String hex(char c) {
		return String.format("%04X", (int) c);
	}

	@Test
	void longKeyIsShortened() {
		LockRequest request = LockRequest.of("k".repeat(1000)).withWait(Duration.ZERO);
		assertThat(new LockNotAcquiredException(request, Duration.ZERO, null))
			.hasMessage("Lock '" + "k".repeat(100) + "...' (EXCLUSIVE) not acquired at once");
	}

}
