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

package io.github.zklock.core;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.zklock.support.Refusal;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How long a thread owns a lock whose handle it gives to another thread.
 */
@ExtendWith(OutputCaptureExtension.class)
public abstract class AbstractLockOwnerTests extends AbstractLockContract {

	static Stream<Arguments> uses() {
		return Stream.of(use("fencingToken", LockHandle::fencingToken), use("assertHeld", LockHandle::assertHeld),
				use("onLost", (handle) -> handle.onLost((lost) -> {
				})), use("LockScope.call", (handle) -> LockScope.call(handle, (held) -> "ran")));
	}

	private static Arguments use(String name, Consumer<LockHandle> use) {
		return Arguments.of(Named.of(name, use));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("uses")
	void threadDoesNotReenterALockThatAnotherThreadUses(Consumer<LockHandle> use) throws Exception {
		LockHandle given = template().acquire(List.of(request()));
		elsewhere(() -> use.accept(given));
		assertNotReentered();
		given.release();
		assertFree();
	}

	@Test
	void threadDoesNotReenterWhatItHasNestedBeforeAnotherThreadUsedIt() throws Exception {
		LockHandle one = template().acquire(List.of(request()));
		LockHandle two = template().acquire(List.of(request()));
		elsewhere(one::fencingToken);
		assertNotReentered();
		one.release();
		assertNotReentered();
		two.release();
		assertFree();
	}

	@Test
	void threadDoesNotReenterAfterAnotherThreadHasReleasedOneOfTheHandles() throws Exception {
		LockHandle one = template().acquire(List.of(request()));
		LockHandle two = template().acquire(List.of(request()));
		elsewhere(one::release);
		assertNotReentered();
		assertThat(two.state()).isEqualTo(LockState.HELD);
		two.release();
		assertFree();
	}

	@Test
	void handleThatWasNestedInABodyDoesNotMakeTheThreadAnOwnerWhenTheBodyHasEnded() throws Exception {
		LockHandle given = template().execute(request(), (outer) -> {
			LockHandle nested = template().acquire(List.of(request()));
			elsewhere(nested::assertHeld);
			template().acquire(List.of(request())).release();
			return nested;
		});
		assertNotReentered();
		given.release();
		assertFree();
	}

	@Test
	void handleThatAnotherThreadHasNestedDoesNotKeepTheFirstAnOwner() throws Exception {
		LockHandle given = template().execute(request(), (outer) -> {
			LockScope scope = LockScope.ofThread();
			return resultOf(onOtherThread(() -> scope.call((held) -> template().acquire(List.of(request())))));
		});
		assertNotReentered();
		elsewhere(given::release);
		assertFree();
	}

	@Test
	void bodyOwnsItsLockWhoeverElseUsesTheHandle() throws Exception {
		template().execute(request(), (outer) -> {
			elsewhere(outer::assertHeld);
			LockHandle nested = template().acquire(List.of(request()));
			assertThat(nested.fencingToken()).isEqualTo(outer.fencingToken());
			nested.release();
			return null;
		});
		assertFree();
	}

	@Test
	void ownerThatTheRequestNamesStaysTheOwner() throws Exception {
		LockRequest mine = request().withOwner("job");
		LockHandle given = template().acquire(List.of(mine));
		elsewhere(given::assertHeld);
		LockHandle again = template().acquire(List.of(mine));
		assertThat(again.fencingToken()).isEqualTo(given.fencingToken());
		again.release();
		given.release();
	}

	@Test
	void useByAnotherThreadIsToldOnce(CapturedOutput output) throws Exception {
		LockRequest request = request().withName("told-" + key());
		String owner = Thread.currentThread().getName();
		for (int i = 0; i < 3; i++) {
			LockHandle given = template().acquire(List.of(request));
			elsewhere(() -> {
				Thread.currentThread().setName("user-of-" + key());
				given.assertHeld();
				given.release();
			});
		}
		assertThat(StringUtils.countOccurrencesOf(output.getAll(), "thread 'user-of-" + key())).isEqualTo(1);
		assertThat(output).contains("WARN")
			.contains("'" + key() + "' (EXCLUSIVE): thread '" + owner + "' acquired it")
			.contains("withOwner");
	}

	@Test
	void threadThatLooksDoesNotUse(CapturedOutput output) throws Exception {
		LockHandle handle = template().acquire(List.of(request()));
		elsewhere(() -> assertThat(handle.state() + handle.key() + handle.isHeld() + handle.mode() + handle)
			.isNotEmpty());
		template().acquire(List.of(request())).release();
		handle.release();
		assertThat(output).doesNotContain("withOwner");
	}

	@Test
	void threadLocksAgainAfterALeakedHandleWasLost() {
		LockHandle leaked = template().acquire(List.of(request()));
		backend().loseFirst();
		eventually().until(() -> leaked.state() == LockState.LOST);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> template().acquire(List.of(request())));
		LockHandle again = template().acquire(List.of(request().withWait(PATIENCE)));
		assertThat(again.fencingToken()).isGreaterThan(leaked.fencingToken());
		leaked.release();
		assertThat(again.isHeld()).isTrue();
		template().acquire(List.of(request())).release();
		again.release();
	}

	@Test
	void bodyMustNotReenterItsLostLockHoweverOftenItAsks() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> template().execute(request(), (outer) -> {
			backend().loseFirst();
			eventually().until(() -> outer.state() == LockState.LOST);
			for (int i = 0; i < 3; i++) {
				assertThatExceptionOfType(LockLostException.class)
					.isThrownBy(() -> template().execute(request(), (inner) -> "ran"));
			}
			return null;
		}));
		assertFree();
	}

	private void assertNotReentered() {
		Refusal.of(() -> template().acquire(List.of(request())));
	}

	private void elsewhere(Runnable use) throws Exception {
		Future<?> done = onOtherThread(() -> {
			use.run();
			return null;
		});
		resultOf(done);
	}

	private LockTemplate template() {
		return new LockTemplate(backend().first());
	}

	private LockRequest request() {
		return request(LockMode.EXCLUSIVE, Duration.ZERO);
	}

}
