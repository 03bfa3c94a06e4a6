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

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import io.github.zklock.support.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Who owns a lock, and what its owner may ask for again.
 */
public abstract class AbstractLockReentrancyTests extends AbstractLockContract {

	static Stream<Arguments> cells() {
		return AbstractLockModesTests.cells();
	}

	@ParameterizedTest(name = "{1} inside {0}")
	@MethodSource("cells")
	void threadReentersUnlessItAsksForMore(LockMode held, LockMode asked) {
		LockHandle outer = backend().first().acquire(request(held, PATIENCE));
		LockRequest nested = request(asked, Duration.ZERO);
		if (held == LockMode.READ && asked != LockMode.READ) {
			assertThatExceptionOfType(LockUpgradeException.class).isThrownBy(() -> backend().first().acquire(nested))
				.withMessageContaining("'" + key() + "' (" + asked + ")");
		}
		else {
			LockHandle inner = backend().first().acquire(nested);
			assertThat(inner.mode()).isEqualTo(asked);
			assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
			inner.release();
			assertThat(inner.state()).isEqualTo(LockState.RELEASED);
		}
		assertThat(outer.isHeld()).isTrue();
		assertTaken(LockMode.WRITE);
		outer.release();
		assertFree();
	}

	@Test
	void upgradeIsRefusedAtOnce() throws Exception {
		Future<LockUpgradeException> refused = onOtherThread(() -> {
			LockHandle reader = backend().first().acquire(request(LockMode.READ, PATIENCE));
			try {
				backend().first().acquire(request(LockMode.WRITE, LockRequest.FOREVER));
				return null;
			}
			catch (LockUpgradeException ex) {
				return ex;
			}
			finally {
				reader.release();
			}
		});
		assertThat(resultOf(refused)).isNotNull();
	}

	@Test
	void lockIsHeldUntilTheLastNestedHandleIsReleased() {
		LockHandle outer = first(LockMode.EXCLUSIVE);
		LockHandle inner = first(LockMode.READ);
		outer.release();
		assertThat(inner.isHeld()).isTrue();
		assertThat(outer.state()).isEqualTo(LockState.RELEASED);
		assertTaken(LockMode.READ);
		outer.release();
		assertTaken(LockMode.READ);
		inner.release();
		assertFree();
	}

	@Test
	void readerReentersWhileWriterWaits() {
		LockHandle reader = first(LockMode.READ);
		CompletableFuture<LockHandle> writer = secondAsync(LockMode.WRITE);
		backend().awaitMembers(key(), 2);
		LockHandle nested = backend().first().acquire(request(LockMode.READ, Duration.ZERO).withOwner("first"));
		nested.release();
		reader.release();
		get(writer).release();
	}

	@Test
	void anotherThreadDoesNotReenter() throws Exception {
		LockHandle holder = backend().first().acquire(request(LockMode.EXCLUSIVE, PATIENCE));
		Future<?> refused = onOtherThread(() -> {
			Refusal.of(() -> backend().first().acquire(request(LockMode.EXCLUSIVE, Duration.ZERO)));
			return null;
		});
		resultOf(refused);
		holder.release();
	}

	@Test
	void ownerReentersFromAnotherThread() throws Exception {
		LockHandle holder = first(LockMode.WRITE);
		LockHandle nested = resultOf(onOtherThread(() -> first(LockMode.EXCLUSIVE)));
		assertThat(nested.fencingToken()).isEqualTo(holder.fencingToken());
		holder.release();
		nested.release();
	}

	@Test
	void requestThatIsNotReentrantIsRefusedAtOnce() {
		LockHandle holder = first(LockMode.EXCLUSIVE);
		LockRequest again = request(LockMode.EXCLUSIVE, LockRequest.FOREVER).withOwner("first").withReentrant(false);
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> backend().first().acquire(again))
			.withMessageContaining("not re-entrant");
		holder.release();
	}

	@Test
	void asynchronousRequestWithoutOwnerBelongsToNobody() {
		LockHandle holder = backend().first().acquire(request(LockMode.EXCLUSIVE, PATIENCE));
		CompletableFuture<LockHandle> other = backend().first().acquireAsync(request(LockMode.EXCLUSIVE, PATIENCE));
		backend().awaitMembers(key(), 2);
		assertThat(other).isNotDone();
		holder.release();
		LockHandle granted = get(other);
		Refusal.of(() -> backend().first().acquire(request(LockMode.EXCLUSIVE, Duration.ZERO)));
		granted.release();
	}

	@Test
	void asynchronousRequestOfTheOwnerReenters() {
		LockHandle holder = first(LockMode.EXCLUSIVE);
		LockHandle nested = get(
				backend().first().acquireAsync(request(LockMode.WRITE, Duration.ZERO).withOwner("first")));
		assertThat(nested.fencingToken()).isEqualTo(holder.fencingToken());
		nested.release();
		holder.release();
	}

	@Test
	void asynchronousUpgradeFailsTheFuture() {
		LockHandle reader = first(LockMode.READ);
		LockRequest upgrade = request(LockMode.WRITE, LockRequest.FOREVER).withOwner("first");
		assertThatExceptionOfType(LockUpgradeException.class)
			.isThrownBy(() -> get(backend().first().acquireAsync(upgrade)));
		reader.release();
	}

	@Test
	void ownerOfReleasedLockAsksTheBackendAgain() {
		LockHandle one = first(LockMode.READ);
		one.release();
		LockHandle two = first(LockMode.WRITE);
		assertThat(two.fencingToken()).isGreaterThan(one.fencingToken());
		two.release();
	}

	@Test
	void releasedNestedHandlesAreForgottenWhileTheOuterLockIsHeld() {
		LockTemplate template = new LockTemplate(backend().first());
		LockRequest request = request(LockMode.EXCLUSIVE, PATIENCE);
		List<WeakReference<LockHandle>> nested = new ArrayList<>();
		template.execute(request, (outer) -> {
			for (int i = 0; i < 10_000; i++) {
				template.execute(request, (inner) -> nested.add(new WeakReference<>(inner)));
			}
			eventually().untilAsserted(() -> {
				System.gc();
				assertThat(nested).filteredOn((handle) -> handle.get() != null).isEmpty();
			});
			assertThat(outer.isHeld()).isTrue();
			return null;
		});
	}

}
