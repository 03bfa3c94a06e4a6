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
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.internal.LockRun;
import io.github.zklock.core.internal.LockScope;
import io.github.zklock.core.spi.AcquireContext;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.PlainLockHandle;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * What a run under a lock does at its edges.
 */
class LockRunTests {

	private final InMemoryLockProvider provider = new InMemoryLockProvider();

	private final LockTemplate template = new LockTemplate(this.provider);

	@Test
	void lossIsSuppressedInTheExceptionOfTheBodyAndNotInItsCause() {
		CompletionException failure = new CompletionException(new IOException("cause"));
		Throwable thrown = catchThrowable(() -> this.template.execute(LockRequest.of("key"), (handle) -> {
			this.provider.loseAll();
			throw failure;
		}));
		assertThat(thrown).isSameAs(failure);
		assertThat(failure.getSuppressed()).hasExactlyElementsOfTypes(LockLostException.class);
		assertThat(failure.getCause()).hasNoSuppressedExceptions();
	}

	@Test
	void callWithoutARequestIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.template.execute(List.of(), (handle) -> "body"))
			.withMessageContaining("give at least one request");
		assertThatIllegalArgumentException()
			.isThrownBy(
					() -> this.template.executeAsync(List.of(), (handle) -> CompletableFuture.completedFuture("body")))
			.withMessageContaining("give at least one request");
	}

	@ParameterizedTest
	@EnumSource(LossPolicy.class)
	void asynchronousCallWhoseScopeCannotBeMadeFailsAndReleasesItsLock(LossPolicy onLost) throws Exception {
		IllegalStateException failure = new IllegalStateException("no state");
		PlainLockHandle outer = new PlainLockHandle("outer", LockMode.EXCLUSIVE, 1) {

			@Override
			public LockState state() {
				throw failure;
			}

		};
		CompletableFuture<String> result = LockScope.call(outer,
				(held) -> this.template.executeAsync(LockRequest.of("key").withOnLost(onLost),
						(handle) -> CompletableFuture.completedFuture("body")));
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> result.get(30, TimeUnit.SECONDS))
			.havingCause()
			.isSameAs(failure);
		assertThat(this.provider.keysInUse()).isZero();
	}

	@Test
	void callerBeginsTheBodyForWhichThereIsNoThreadOfItsOwn() throws Exception {
		Thread caller = Thread.currentThread();
		CountDownLatch finish = new CountDownLatch(1);
		LockTemplate prompt = new LockTemplate(new Prompt());
		List<CompletableFuture<Thread>> results = new ArrayList<>();
		try {
			for (int i = 0; i < 260; i++) {
				results.add(prompt.executeAsync(LockRequest.of("key"), (handle) -> {
					if (Thread.currentThread() != caller) {
						await(finish);
					}
					return CompletableFuture.completedFuture(Thread.currentThread());
				}));
			}
			assertThat(results.stream().filter((result) -> !result.isDone())).hasSize(256);
		}
		finally {
			finish.countDown();
		}
		List<Thread> threads = new ArrayList<>();
		for (CompletableFuture<Thread> result : results) {
			threads.add(result.get(30, TimeUnit.SECONDS));
		}
		assertThat(threads.stream().distinct()).hasSize(257);
		for (Thread thread : threads) {
			if (thread != caller) {
				thread.join(30_000);
			}
		}
		assertThat(prompt
			.executeAsync(LockRequest.of("key"), (handle) -> CompletableFuture.completedFuture(Thread.currentThread()))
			.get(30, TimeUnit.SECONDS)).isNotSameAs(caller);
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void threadOfABodyTakesNothingFromItsCaller() throws Exception {
		Thread caller = Thread.currentThread();
		ClassLoader before = caller.getContextClassLoader();
		int priority = caller.getPriority();
		try (URLClassLoader own = new URLClassLoader(new URL[0])) {
			caller.setContextClassLoader(own);
			caller.setPriority(Thread.MIN_PRIORITY);
			Thread thread = new LockTemplate(new Prompt())
				.executeAsync(LockRequest.of("key"), (handle) -> CompletableFuture.completedFuture(inspected()))
				.get(30, TimeUnit.SECONDS);
			assertThat(thread).isNotSameAs(caller);
		}
		finally {
			caller.setContextClassLoader(before);
			caller.setPriority(priority);
		}
	}

	private static Thread inspected() {
		Thread thread = Thread.currentThread();
		assertThat(thread.getContextClassLoader()).isSameAs(LockRun.class.getClassLoader());
		assertThat(thread.getPriority()).isEqualTo(Thread.NORM_PRIORITY);
		assertThat(thread.isDaemon()).isTrue();
		return thread;
	}

	/**
	 * Grants each lock at once, on the thread of the caller.
	 */
	private static final class Prompt implements LockProvider {

		@Override
		public LockHandle acquire(LockRequest request, AcquireContext context) {
			return new PlainLockHandle(request, 1);
		}

		@Override
		public CompletableFuture<LockHandle> acquireAsync(LockRequest request, AcquireContext context) {
			return CompletableFuture.completedFuture(acquire(request, context));
		}

	}

}
