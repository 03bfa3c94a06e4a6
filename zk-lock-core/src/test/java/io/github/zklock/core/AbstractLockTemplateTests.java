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

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * What comes out of a body that runs under a lock.
 */
public abstract class AbstractLockTemplateTests extends AbstractLockContract {

	static Stream<Throwable> failures() {
		return Stream.of(new IOException("checked"), new IllegalStateException("unchecked"),
				new AssertionError("error"), new LockKeyException("of another lock", null));
	}

	@Test
	void bodyRunsUnderTheLock() {
		String result = template().execute(request(), (handle) -> {
			assertThat(LockHandle.current()).isSameAs(handle);
			assertTaken(LockMode.READ);
			return "done " + handle.mode();
		});
		assertThat(result).isEqualTo("done EXCLUSIVE");
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(LockHandle::current);
		assertFree();
	}

	@Test
	void nestedBodyHasItsOwnHandle() {
		template().execute(request(), (outer) -> {
			template().execute(request().withMode(LockMode.READ), (inner) -> {
				assertThat(LockHandle.current()).isSameAs(inner).isNotSameAs(outer);
				return null;
			});
			assertThat(LockHandle.current()).isSameAs(outer);
			assertTaken(LockMode.READ);
			return null;
		});
	}

	@ParameterizedTest
	@MethodSource("failures")
	void failureOfTheBodyComesOutUnchanged(Throwable failure) {
		Throwable thrown = catchThrowable(() -> template().execute(request(), (handle) -> {
			throw failure;
		}));
		assertThat(thrown).isSameAs(failure).hasNoSuppressedExceptions();
		assertFree();
	}

	@Test
	void returnFromABodyThatLostItsLockIsAFailure() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> template().execute(request(), this::loseAndReturn))
			.withMessageContaining("'" + key() + "' (EXCLUSIVE) was lost before it was released");
	}

	@Test
	void failureOfABodyThatLostItsLockStaysPrimary() {
		IOException failure = new IOException("body");
		Throwable thrown = catchThrowable(() -> template().execute(request(), (handle) -> {
			loseAndReturn(handle);
			throw failure;
		}));
		assertThat(thrown).isSameAs(failure);
		assertThat(thrown.getSuppressed()).hasExactlyElementsOfTypes(LockLostException.class);
	}

	@Test
	void alternativeRunsWithoutTheLock() {
		LockHandle holder = second(LockMode.WRITE);
		String result = template().execute(request().withWait(Duration.ZERO), (handle) -> "body",
				(refused) -> "instead of " + refused.getKey());
		assertThat(result).isEqualTo("instead of " + key());
		holder.release();
	}

	@Test
	void refusalOfAnotherLockInsideTheBodyIsNotMistakenForItsOwn() {
		LockNotAcquiredException other = new LockNotAcquiredException(request(), Duration.ZERO, null);
		Throwable thrown = catchThrowable(() -> template().execute(request(), (handle) -> {
			throw other;
		}, (refused) -> "alternative"));
		assertThat(thrown).isSameAs(other);
	}

	@Test
	void asynchronousBodyHoldsTheLockUntilItsStageCompletes() throws Exception {
		CompletableFuture<String> stage = new CompletableFuture<>();
		CompletableFuture<String> result = template().executeAsync(request(), (handle) -> stage);
		eventually().until(() -> backend().left(key()).size() == 1);
		assertTaken(LockMode.READ);
		assertThat(result).isNotDone();
		stage.complete("done");
		assertThat(resultOf(result)).isEqualTo("done");
		assertFree();
	}

	@Test
	void asynchronousFailureComesOutUnchanged() {
		IOException failure = new IOException("stage");
		CompletableFuture<String> result = template().executeAsync(request(),
				(handle) -> CompletableFuture.failedFuture(failure));
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> resultOf(result))
			.havingCause()
			.isSameAs(failure);
		assertFree();
	}

	@Test
	void asynchronousBodyThatThrowsFailsTheFuture() {
		IllegalStateException failure = new IllegalStateException("body");
		CompletableFuture<String> result = template().executeAsync(request(), (handle) -> {
			throw failure;
		});
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> resultOf(result))
			.havingCause()
			.isSameAs(failure);
		assertFree();
	}

	@Test
	void asynchronousBodyThatReturnsNoStageFailsTheFuture() {
		CompletableFuture<String> result = template().executeAsync(request(), (handle) -> null);
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> resultOf(result))
			.withMessageContaining("The body returned no stage")
			.withCauseInstanceOf(NullPointerException.class);
		assertFree();
	}

	@Test
	void asynchronousLossFailsTheFuture() {
		CompletableFuture<String> result = template().executeAsync(request(),
				(handle) -> CompletableFuture.supplyAsync(() -> loseAndReturn(handle)));
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> resultOf(result))
			.withCauseInstanceOf(LockLostException.class);
	}

	@Test
	void cancelBeforeTheLockWithdrawsTheRequest() {
		LockHandle holder = second(LockMode.WRITE);
		CompletableFuture<String> result = template().executeAsync(request().withWait(LockRequest.FOREVER),
				(handle) -> {
					throw new AssertionError("runs without having been granted");
				});
		backend().awaitMembers(key(), 2);
		result.cancel(true);
		backend().awaitMembers(key(), 1);
		holder.release();
		assertFree();
	}

	private LockTemplate template() {
		return new LockTemplate(backend().first());
	}

	private LockRequest request() {
		return request(LockMode.EXCLUSIVE, PATIENCE);
	}

	private String loseAndReturn(LockHandle handle) {
		backend().loseFirst();
		eventually().until(() -> handle.state() == LockState.LOST);
		return "lost";
	}

}
