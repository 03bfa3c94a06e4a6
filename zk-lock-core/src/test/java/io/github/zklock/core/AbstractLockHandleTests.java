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
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.OutputCaptureExtension;
import io.github.zklock.support.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a handle can do, and what it knows when its lock is lost.
 */
@ExtendWith(OutputCaptureExtension.class)
public abstract class AbstractLockHandleTests extends AbstractLockContract {

	@Test
	void releaseIsIdempotent() {
		LockHandle handle = first(LockMode.EXCLUSIVE);
		handle.release();
		LockHandle next = second(LockMode.EXCLUSIVE);
		handle.release();
		handle.close();
		handle.releaseAsync().join();
		assertThat(handle.state()).isEqualTo(LockState.RELEASED);
		assertThat(next.isHeld()).isTrue();
		Refusal.of(() -> backend().first().acquire(request(LockMode.READ, Duration.ZERO).withOwner("third")));
		next.release();
	}

	@Test
	void releasedHandleIsNotHeld() {
		LockHandle handle = first(LockMode.WRITE);
		handle.assertHeld();
		handle.release();
		assertThat(handle.isHeld()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(handle::assertHeld)
			.withMessage("Lock '" + key() + "' (WRITE) is not held: it was released before");
	}

	@Test
	void releaseFreesTheLockBeforeItReturns() {
		int done = 0;
		for (int i = 0; i < 20; i++) {
			LockHandle handle = first(LockMode.EXCLUSIVE);
			long start = System.nanoTime();
			handle.release();
			// Nobody waits longer than that for an answer to a release.
			boolean answered = System.nanoTime() - start < Duration.ofSeconds(1).toNanos();
			second(LockMode.EXCLUSIVE, answered ? Duration.ZERO : PATIENCE).release();
			done += answered ? 1 : 0;
		}
		assertThat(done).isPositive();
	}

	@Test
	void asynchronousReleaseFreesTheLockWhenItCompletes() throws Exception {
		LockHandle handle = first(LockMode.EXCLUSIVE);
		resultOf(handle.releaseAsync());
		assertThat(handle.state()).isEqualTo(LockState.RELEASED);
		assertFree();
	}

	@Test
	void anyThreadMayRelease() throws Exception {
		LockHandle handle = get(backend().first().acquireAsync(request(LockMode.EXCLUSIVE, PATIENCE)));
		resultOf(onOtherThread(() -> {
			handle.release();
			return null;
		}));
		assertThat(handle.state()).isEqualTo(LockState.RELEASED);
		assertFree();
	}

	@Test
	void lossIsToldOnce() {
		LockHandle handle = first(LockMode.EXCLUSIVE);
		List<LockHandle> told = new CopyOnWriteArrayList<>();
		handle.onLost(told::add);
		backend().loseFirst();
		eventually().untilAsserted(() -> assertThat(told).containsExactly(handle));
		assertThat(handle.state()).isEqualTo(LockState.LOST);
		assertThat(handle.isHeld()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(handle::assertHeld)
			.withMessageContaining("'" + key() + "' (EXCLUSIVE) was lost");
		handle.onLost(told::add);
		eventually().untilAsserted(() -> assertThat(told).containsExactly(handle, handle));
		handle.release();
	}

	@ParameterizedTest
	@EnumSource(Closing.class)
	void closeAfterALossWarnsUnlessAnExceptionHasReportedIt(Closing closing, CapturedOutput output) {
		LockHandle handle = first(LockMode.EXCLUSIVE);
		backend().loseFirst();
		eventually().until(() -> handle.state() == LockState.LOST);
		closing.end(handle);
		assertThat(output.toString().lines().filter((line) -> line.contains("was closed after its loss")))
			.hasSize((closing == Closing.CLOSED_TWICE) ? 1 : 0)
			.allMatch((line) -> line.contains("WARN") && line.contains("'" + key() + "'"));
	}

	@Test
	void failingListenersDoNotKeepTheNextFromBeingTold() {
		LockHandle handle = first(LockMode.EXCLUSIVE);
		List<LockHandle> told = new CopyOnWriteArrayList<>();
		handle.onLost((lost) -> {
			throw new IllegalStateException("listener");
		});
		handle.onLost((lost) -> {
			throw new OutOfMemoryError("thrown by a test");
		});
		handle.onLost(told::add);
		backend().loseFirst();
		eventually().untilAsserted(() -> assertThat(told).containsExactly(handle));
		handle.release();
	}

	@Test
	void releasedLockIsNotLost() {
		LockHandle handle = first(LockMode.EXCLUSIVE);
		List<LockHandle> told = new CopyOnWriteArrayList<>();
		handle.onLost(told::add);
		handle.release();
		LockHandle other = backend().first().acquire(LockRequest.of(key() + "/other"));
		backend().loseFirst();
		eventually().until(() -> other.state() == LockState.LOST);
		other.release();
		assertThat(told).isEmpty();
		assertThat(handle.state()).isEqualTo(LockState.RELEASED);
	}

	@Test
	void lostLockIsFreeForOthersAndItsReleaseHasNoEffect() {
		LockHandle lost = first(LockMode.EXCLUSIVE);
		backend().loseFirst();
		eventually().until(() -> lost.state() == LockState.LOST);
		LockHandle next = second(LockMode.EXCLUSIVE);
		assertThat(next.fencingToken()).isGreaterThan(lost.fencingToken());
		lost.release();
		assertThat(lost.state()).isEqualTo(LockState.LOST);
		assertThat(next.isHeld()).isTrue();
		Refusal.of(() -> backend().second().acquire(request(LockMode.READ, Duration.ZERO).withOwner("third")));
		next.release();
	}

	@Test
	void ownerOfLostLockMustNotReenterBeforeItsRelease() {
		LockHandle lost = first(LockMode.EXCLUSIVE);
		backend().loseFirst();
		eventually().until(() -> lost.state() == LockState.LOST);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> first(LockMode.EXCLUSIVE));
		lost.release();
		LockHandle again = first(LockMode.EXCLUSIVE);
		assertThat(again.fencingToken()).isGreaterThan(lost.fencingToken());
		again.release();
	}

	@Test
	void nestedHandlesAreLostTogether() {
		LockHandle outer = first(LockMode.WRITE);
		LockHandle inner = first(LockMode.READ);
		List<LockHandle> told = new CopyOnWriteArrayList<>();
		outer.onLost(told::add);
		inner.onLost(told::add);
		backend().loseFirst();
		eventually().untilAsserted(() -> assertThat(told).containsExactlyInAnyOrder(outer, inner));
		assertThat(inner.state()).isEqualTo(LockState.LOST);
		inner.release();
		outer.release();
	}

	/**
	 * How a program ends with a lock that is lost.
	 */
	enum Closing {

		CLOSED_TWICE {

			@Override
			void end(LockHandle handle) {
				handle.close();
				handle.close();
			}

		},

		RELEASED {

			@Override
			void end(LockHandle handle) {
				handle.release();
				handle.close();
			}

		},

		REPORTED {

			@Override
			void end(LockHandle handle) {
				assertThatExceptionOfType(LockLostException.class).isThrownBy(handle::assertHeld);
				handle.close();
			}

		};

		abstract void end(LockHandle handle);

	}

}
