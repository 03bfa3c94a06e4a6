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
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import io.github.zklock.core.spi.AcquireContext;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.PlainLockHandle;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A cancellation that comes too late to keep the provider from granting the lock.
 */
class LockTemplateAsyncTests {

	private final InMemoryLockProvider locks = new InMemoryLockProvider();

	private final CompletableFuture<Void> gate = new CompletableFuture<>();

	// What nobody has used is not kept for as long.
	private final LockRequest request = LockRequest.of("key")
		.withWait(Duration.ZERO)
		.withLockAtLeastFor(Duration.ofHours(1));

	private final AtomicBoolean ran = new AtomicBoolean();

	private final CompletableFuture<String> result = new LockTemplate(new LateProvider()).executeAsync(this.request,
			(handle) -> {
				this.ran.set(true);
				return new CompletableFuture<>();
			});

	@Test
	void lockThatIsGrantedAfterACancellationIsReleased() {
		assertTaken();
		this.result.cancel(true);
		assertTaken();
		this.gate.complete(null);
		awaitFree();
		assertThat(this.ran).isFalse();
	}

	@Test
	void lockThatIsGrantedAfterATimeoutOfTheCallerIsReleased() {
		this.result.completeExceptionally(new IllegalStateException("too late"));
		this.gate.complete(null);
		awaitFree();
		assertThat(this.ran).isFalse();
	}

	@Test
	void lockThatIsGrantedJustBeforeACancellationIsReleased() {
		LockRequest other = LockRequest.of("other").withWait(Duration.ZERO).withLockAtLeastFor(Duration.ofHours(1));
		CompletableFuture<LockHandle> acquiring = new CompletableFuture<>() {

			@Override
			public boolean cancel(boolean interrupt) {
				return complete(LockTemplateAsyncTests.this.locks.acquire(other));
			}

		};
		LockTemplate template = new LockTemplate(this.locks) {

			@Override
			public CompletableFuture<LockHandle> acquireAsync(Collection<LockRequest> requests) {
				return acquiring;
			}

		};
		template.executeAsync(other, (handle) -> {
			this.ran.set(true);
			return new CompletableFuture<>();
		}).cancel(true);
		assertThat(acquiring).isCompletedWithValueMatching((handle) -> handle.state() == LockState.RELEASED);
		this.locks.acquire(other).release();
		assertThat(this.ran).isFalse();
	}

	@Test
	void lockIsReleasedAlthoughTheThreadThatEndedItsBodyCouldNot() {
		AtomicReference<Thread> released = new AtomicReference<>();
		LockHandle handle = new PlainLockHandle(this.request, 1) {

			@Override
			public CompletableFuture<Void> releaseAsync() {
				if (released.compareAndSet(null, Thread.currentThread())) {
					throw new StackOverflowError("injected");
				}
				return super.releaseAsync();
			}

		};
		LockTemplate template = new LockTemplate(this.locks) {

			@Override
			public CompletableFuture<LockHandle> acquireAsync(Collection<LockRequest> requests) {
				return CompletableFuture.completedFuture(handle);
			}

		};
		CompletableFuture<String> ended = template.executeAsync(this.request,
				(held) -> CompletableFuture.completedFuture("ended"));
		assertThat(ended).succeedsWithin(Duration.ofSeconds(30)).isEqualTo("ended");
		assertThat(released.get()).isNotNull();
		assertThat(handle.state()).isEqualTo(LockState.RELEASED);
	}

	private void awaitFree() {
		Awaitility.await().ignoreExceptionsInstanceOf(LockNotAcquiredException.class).until(() -> {
			this.locks.acquire(this.request).release();
			return true;
		});
	}

	private void assertTaken() {
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.locks.acquire(this.request));
	}

	private final class LateProvider implements LockProvider {

		@Override
		public LockHandle acquire(LockRequest asked, AcquireContext context) {
			return LockTemplateAsyncTests.this.locks.acquire(asked, context);
		}

		@Override
		public CompletableFuture<LockHandle> acquireAsync(LockRequest asked, AcquireContext context) {
			CompletableFuture<LockHandle> granted = LockTemplateAsyncTests.this.locks.acquireAsync(asked, context);
			CompletableFuture<LockHandle> late = new CompletableFuture<>() {

				@Override
				public boolean cancel(boolean interrupt) {
					return false;
				}

			};
			LockTemplateAsyncTests.this.gate.thenCombine(granted, (open, handle) -> late.complete(handle));
			return late;
		}

	}

}
