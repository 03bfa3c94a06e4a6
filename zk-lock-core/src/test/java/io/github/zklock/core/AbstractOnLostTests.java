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

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.github.zklock.core.internal.LockScope;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * What happens to a body when its lock is lost while it runs.
 */
public abstract class AbstractOnLostTests extends AbstractLockContract {

	private Future<?> losing;

	@AfterEach
	void endLoss() throws Exception {
		if (this.losing != null) {
			this.losing.get(30, TimeUnit.SECONDS);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "FAIL_AT_EXIT", "INTERRUPT" })
	void normalReturnBecomesAFailure(LossPolicy onLost) {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> template().execute(request(onLost), (handle) -> loseAndReturn(handle)));
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void lossIsIgnoredIfThatIsWanted() {
		String result = template().execute(request(LossPolicy.IGNORE), (handle) -> {
			loseAndReturn(handle);
			LockScope.assertHeld();
			assertThatExceptionOfType(LockLostException.class).isThrownBy(handle::assertHeld);
			return "done";
		});
		assertThat(result).isEqualTo("done");
	}

	@ParameterizedTest
	@EnumSource
	void failureOfTheBodyStaysPrimary(LossPolicy onLost) {
		IllegalStateException failure = new IllegalStateException("body");
		Throwable thrown = catchThrowable(() -> template().execute(request(onLost), (handle) -> {
			loseAndReturn(handle);
			throw failure;
		}));
		assertThat(thrown).isSameAs(failure);
		assertThat(thrown.getSuppressed()).hasExactlyElementsOfTypes(LockLostException.class);
		assertThat(Thread.interrupted()).isFalse();
	}

	@ParameterizedTest
	@EnumSource(names = { "FAIL_AT_EXIT", "IGNORE" })
	void nobodyIsInterruptedUnlessThatIsWanted(LossPolicy onLost) {
		catchThrowable(() -> template().execute(request(onLost), (handle) -> {
			loseAndReturn(handle);
			handle.onLost((lost) -> {
			});
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
			return null;
		}));
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void interruptWakesTheBody() throws Exception {
		Future<Throwable> outcome = onOtherThread(
				() -> catchThrowable(() -> template().execute(request(LossPolicy.INTERRUPT), (handle) -> {
					loseElsewhere();
					return new CountDownLatch(1).await(30, TimeUnit.SECONDS);
				})));
		assertThat(outcome.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class)
			.satisfies((ex) -> assertThat(ex.getSuppressed()).hasExactlyElementsOfTypes(LockLostException.class));
	}

	@Test
	void flagOfTheInterruptIsClearedWhenTheBodyLeaves() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> template().execute(request(LossPolicy.INTERRUPT), (handle) -> {
				loseElsewhere();
				await(() -> Thread.currentThread().isInterrupted());
				return null;
			}));
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void listenerThatThrowsAnErrorKeepsNobodyFromBeingToldOrInterrupted() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> template().execute(request(LossPolicy.INTERRUPT), (outer) -> {
				for (int i = 0; i < 12; i++) {
					template().acquire(List.of(request(LossPolicy.IGNORE))).onLost((lost) -> {
						throw new StackOverflowError("thrown by a test");
					});
				}
				CountDownLatch told = new CountDownLatch(1);
				outer.onLost((lost) -> told.countDown());
				loseElsewhere();
				await(() -> Thread.currentThread().isInterrupted() && told.getCount() == 0);
				return null;
			}));
	}

	@Test
	void bodyAroundAnInterruptedOneIsInterruptedAsWell() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> template().execute(request(LossPolicy.INTERRUPT), (outer) -> {
				LockRequest other = LockRequest.of(key() + "/inner").withOnLost(LossPolicy.INTERRUPT);
				assertThatExceptionOfType(LockLostException.class)
					.isThrownBy(() -> template().execute(other, (inner) -> {
						loseAndReturn(outer);
						return loseAndReturn(inner);
					}));
				await(() -> Thread.currentThread().isInterrupted());
				return null;
			}));
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void lossAfterTheBodyHasLeftInterruptsNobody() {
		LockHandle handle = template().acquire(List.of(request(LossPolicy.INTERRUPT)));
		new LockScope(handle, List.of(), null, LossPolicy.INTERRUPT, null).<Void, RuntimeException>call((held) -> null);
		CountDownLatch told = new CountDownLatch(1);
		handle.onLost((lost) -> told.countDown());
		backend().loseFirst();
		eventually().until(() -> told.getCount() == 0);
		assertThat(Thread.interrupted()).isFalse();
		handle.release();
	}

	@Test
	void foreignInterruptIsLeftAlone() {
		template().execute(request(LossPolicy.INTERRUPT), (handle) -> {
			Thread.currentThread().interrupt();
			return null;
		});
		assertThat(Thread.interrupted()).isTrue();
	}

	private LockTemplate template() {
		return new LockTemplate(backend().first());
	}

	private LockRequest request(LossPolicy onLost) {
		return request(LockMode.EXCLUSIVE, PATIENCE).withOnLost(onLost);
	}

	// Returns when what was registered before has been told as well.
	private String loseAndReturn(LockHandle handle) {
		CountDownLatch told = new CountDownLatch(1);
		handle.onLost((lost) -> told.countDown());
		loseElsewhere();
		await(() -> told.getCount() == 0);
		return "lost";
	}

	private void loseElsewhere() {
		if (this.losing == null) {
			this.losing = onOtherThread(() -> {
				backend().loseFirst();
				return null;
			});
		}
	}

	// By a thread that may be interrupted.
	private static void await(BooleanSupplier condition) {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!condition.getAsBoolean()) {
			assertThat(System.nanoTime()).isLessThan(deadline);
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
		}
	}

}
