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

import io.github.zklock.core.internal.LockScope;
import io.github.zklock.support.Refusal;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Which threads may use the handle of a lock.
 */
public abstract class AbstractLockOwnerTests extends AbstractLockContract {

	static Stream<Arguments> uses() {
		return Stream.of(use("fencingToken", LockHandle::fencingToken), use("assertHeld", LockHandle::assertHeld),
				use("onLost", (handle) -> handle.onLost((lost) -> {
				})), use("call", (handle) -> handle.call((held) -> "ran")));
	}

	private static Arguments use(String name, Consumer<LockHandle> use) {
		return Arguments.of(Named.of(name, use));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("uses")
	void lockOfAThreadIsUsedByNoOtherThread(Consumer<LockHandle> use) throws Exception {
		LockHandle mine = template().acquire(request());
		String owner = Thread.currentThread().getName();
		elsewhere(() -> {
			Thread.currentThread().setName("user-of-" + key());
			assertThatIllegalStateException().isThrownBy(() -> use.accept(mine))
				.withMessageStartingWith("Lock '" + key() + "' (EXCLUSIVE) belongs to thread '" + owner
						+ "', which acquired it, and thread 'user-of-" + key() + "' must not use its handle")
				.withMessageContaining("LockRequest.withOwner(new Object())")
				.withMessageContaining("acquireAsync");
		});
		assertThat(mine.isHeld()).isTrue();
		template().acquire(request()).release();
		elsewhere(mine::release);
		assertFree();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("uses")
	void lockThatHasAnotherOwnerIsUsedByAnyThread(Consumer<LockHandle> use) throws Exception {
		List<LockHandle> given = List.of(template().acquire(request().withOwner(new Object())),
				get(template().acquireAsync(LockRequest.of("async-" + key()).withWait(PATIENCE))));
		for (LockHandle each : given) {
			elsewhere(() -> use.accept(each));
			each.release();
		}
		assertFree();
	}

	@Test
	void threadDoesNotReenterTheLockOfItsRequestThatNamesAnotherOwner() {
		LockHandle given = template().acquire(request().withOwner(new Object()));
		Refusal.of(() -> template().acquire(request()));
		given.release();
		assertFree();
	}

	@Test
	void handleThatIsNestedInABodyBelongsToTheThread() throws Exception {
		LockHandle given = template().execute(request(), (outer) -> {
			LockHandle nested = template().acquire(request());
			elsewhere(() -> assertThatIllegalStateException().isThrownBy(nested::assertHeld));
			return nested;
		});
		template().acquire(request()).release();
		given.release();
		assertFree();
	}

	@Test
	void handleThatAnotherThreadHasNestedDoesNotKeepTheFirstAnOwner() throws Exception {
		LockHandle given = template().execute(request(), (outer) -> {
			LockScope scope = LockScope.ofThread();
			return resultOf(onOtherThread(() -> scope.call((held) -> template().acquire(request()))));
		});
		Refusal.of(() -> template().acquire(request()));
		elsewhere(given::release);
		assertFree();
	}

	@Test
	void bodyOwnsItsLockWhoeverElseUsesTheHandle() throws Exception {
		template().execute(request(), (outer) -> {
			elsewhere(outer::assertHeld);
			LockHandle nested = template().acquire(request());
			assertThat(nested.fencingToken()).isEqualTo(outer.fencingToken());
			nested.release();
			return null;
		});
		assertFree();
	}

	@Test
	void ownerThatTheRequestNamesStaysTheOwner() throws Exception {
		LockRequest mine = request().withOwner("job");
		LockHandle given = template().acquire(mine);
		elsewhere(given::assertHeld);
		LockHandle again = template().acquire(mine);
		assertThat(again.fencingToken()).isEqualTo(given.fencingToken());
		again.release();
		given.release();
	}

	@Test
	void threadThatLooksDoesNotUse() throws Exception {
		LockHandle handle = template().acquire(request());
		elsewhere(() -> assertThat(handle.state() + handle.key() + handle.isHeld() + handle.mode() + handle)
			.isNotEmpty());
		template().acquire(request()).release();
		handle.release();
	}

	@Test
	void threadLocksAgainAfterALeakedHandleWasLost() {
		LockHandle leaked = template().acquire(request());
		backend().loseFirst();
		eventually().until(() -> leaked.state() == LockState.LOST);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> template().acquire(request()));
		LockHandle again = template().acquire(request().withWait(PATIENCE));
		assertThat(again.fencingToken()).isGreaterThan(leaked.fencingToken());
		leaked.release();
		assertThat(again.isHeld()).isTrue();
		template().acquire(request()).release();
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
