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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.github.zklock.core.internal.LockObserver;
import io.github.zklock.core.internal.LockScope;
import io.github.zklock.core.spi.AcquireContext;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.PlainLockHandle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A thread runs out of its stack somewhere between the grant of a lock and its body, or
 * after that: nothing of this may stay on the thread, and no lock taken.
 */
class ListenerStackTests {

	private static final int CALLS = 3000;

	private static final int ROOM = 128;

	private static final int WARM_UP = 200;

	private static final LockRequest FIRST = LockRequest.of("a").withWait(Duration.ZERO);

	private static final LockRequest SECOND = LockRequest.of("b").withWait(Duration.ZERO);

	private final Counting provider = new Counting();

	private final LockTemplate locks = new LockTemplate(this.provider, List.of(new Deep()));

	private final LockCallback<Integer, RuntimeException> body = (handle) -> this.bodies++;

	private int calls;

	private int overflows;

	private int bodies;

	@ParameterizedTest
	@MethodSource
	void nothingIsLeftWhereverTheStackEnds(Collection<LockRequest> requests) throws Exception {
		AtomicReference<@Nullable Object> left = new AtomicReference<>();
		Thread thread = new Thread(null, () -> {
			// Classes are initialized while there is room for that.
			for (int i = 0; i < WARM_UP; i++) {
				this.locks.execute(requests, this.body);
				this.locks.acquire(requests).releaseAsync().join();
			}
			descend(requests);
			left.set(LockScope.ofThread());
		}, "exhausted", 512 * 1024L, false);
		thread.start();
		thread.join();
		assertThat(this.overflows).isPositive();
		assertThat(this.bodies).isGreaterThan(WARM_UP);
		assertThat(left).hasValue(null);
		assertThat(this.provider.held).hasValue(0);
	}

	static Stream<Collection<LockRequest>> nothingIsLeftWhereverTheStackEnds() {
		return Stream.of(List.of(FIRST), List.of(FIRST, SECOND));
	}

	// First to the end of the stack, then with a bit more of it each time.
	private void descend(Collection<LockRequest> requests) {
		try {
			descend(requests);
		}
		catch (Error ex) {
			this.overflows++;
		}
		if (this.calls++ < CALLS) {
			try {
				this.locks.execute(requests, this.body);
			}
			catch (Error ex) {
				// Or an error of the JVM that says so.
				this.overflows++;
			}
		}
	}

	private static final class Deep implements LockObserver {

		@Override
		public void acquired(LockRequest request, LockHandle handle, Duration waited) {
			frames(30);
		}

		@Override
		public @Nullable Runnable entered(LockRequest request, LockHandle handle) {
			frames(60);
			return () -> frames(90);
		}

		static int frames(int count) {
			return (count == 0) ? 0 : frames(count - 1) + 1;
		}

	}

	private static final class Counting implements LockProvider {

		private final AtomicInteger held = new AtomicInteger();

		@Override
		public LockHandle acquire(LockRequest request, AcquireContext context) {
			// So that there is room for the release, as a provider has to see to.
			Deep.frames(ROOM);
			LockHandle handle = new CountedHandle(request, this.held);
			this.held.incrementAndGet();
			return handle;
		}

		@Override
		public CompletableFuture<LockHandle> acquireAsync(LockRequest request, AcquireContext context) {
			throw new UnsupportedOperationException();
		}

	}

	private static final class CountedHandle extends PlainLockHandle {

		private final AtomicInteger held;

		CountedHandle(LockRequest request, AtomicInteger held) {
			super(request, 1);
			this.held = held;
		}

		@Override
		public void release() {
			this.held.decrementAndGet();
		}

	}

}
