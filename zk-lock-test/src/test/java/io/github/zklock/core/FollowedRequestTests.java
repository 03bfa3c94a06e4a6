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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.zklock.core.internal.LockObserver;
import io.github.zklock.core.internal.LockRun;
import io.github.zklock.core.internal.LockWaitObserver;
import io.github.zklock.core.internal.NoOpLockProvider;
import io.github.zklock.core.spi.AcquireContext;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * A listener may follow each request by an object of its own.
 */
class FollowedRequestTests {

	private static final LockRequest REQUEST = LockRequest.of("key").withWait(Duration.ofSeconds(30));

	private final Following listener = new Following();

	private final InMemoryLockProvider provider = new InMemoryLockProvider();

	private final LockTemplate locks = new LockTemplate(this.provider, List.of(this.listener));

	@Test
	void eachRequestHasItsOwnFollowerAlsoIfItIsTheSame() {
		this.locks.execute(REQUEST, (outer) -> this.locks.execute(REQUEST, (inner) -> null));
		assertThat(this.listener.events).containsExactly("1 asked", "1 acquired", "1 entered", "2 asked", "2 acquired",
				"2 entered", "2 left", "2 released", "1 left", "1 released");
	}

	@Test
	void severalLocksAreEnteredInTheirOrderAndLeftInTheOther() {
		LockRun run = LockRun.ofThread(List.of(LockRequest.of("a"), LockRequest.of("b")));
		run.begin(this.locks);
		assertThat(run.context()).isEqualTo(Map.of("follower 1", "a", "follower 2", "b"));
		run.execute((handle) -> null);
		assertThat(this.listener.events).containsSubsequence("1 entered", "2 entered", "2 left", "1 left");
	}

	@Test
	void cancelledRequestIsWithdrawn() {
		LockHandle held = this.provider.acquire(REQUEST.withOwner("another"));
		CompletableFuture<LockHandle> waiting = this.locks.acquireAsync(List.of(REQUEST));
		waiting.cancel(false);
		held.release();
		assertThat(this.listener.events).containsExactly("1 asked", "1 withdrawn");
	}

	@Test
	void requestThatFailsByNoLockExceptionIsWithdrawn() {
		LockTemplate failing = new LockTemplate(new FailingProvider(), List.of(this.listener));
		assertThatIllegalStateException().isThrownBy(() -> failing.acquire(List.of(REQUEST)));
		assertThatIllegalStateException().isThrownBy(() -> failing.acquireAsync(List.of(REQUEST)));
		assertThat(this.listener.events).containsExactly("1 asked", "1 withdrawn", "2 asked", "2 withdrawn");
	}

	@Test
	void onlyWhoWantsToKnowOfWaitsAsksTheProviderForThem() {
		WaitingProvider waiting = new WaitingProvider();
		new LockTemplate(waiting, List.of(this.listener)).acquire(List.of(REQUEST)).release();
		assertThat(this.listener.events).containsExactly("1 asked", "1 waits", "1 acquired", "1 released");
		new LockTemplate(waiting, List.of(new LockEvents())).acquire(List.of(REQUEST)).release();
		assertThat(waiting.told).isEqualTo(1);
	}

	private static final class Following implements LockObserver {

		private final List<String> events = new CopyOnWriteArrayList<>();

		private int requests;

		@Override
		public LockObserver follow(LockRequest request) {
			String name = Integer.toString(++this.requests);
			this.events.add(name + " asked");
			return new Follower(name, this.events);
		}

	}

	private record Follower(String name, List<String> events) implements LockWaitObserver {

		@Override
		public void waits(LockRequest request) {
			this.events.add(this.name + " waits");
		}

		@Override
		public void acquired(LockRequest request, LockHandle handle, Duration waited) {
			this.events.add(this.name + " acquired");
		}

		@Override
		public void withdrawn(LockRequest request, Duration waited) {
			this.events.add(this.name + " withdrawn");
		}

		@Override
		public @Nullable Runnable entered(LockRequest request, LockHandle handle) {
			this.events.add(this.name + " entered");
			return () -> this.events.add(this.name + " left");
		}

		@Override
		public Map<Object, Object> context(LockRequest request, LockHandle handle) {
			return Map.of("follower " + this.name, handle.key());
		}

		@Override
		public void released(LockRequest request, LockHandle handle, Duration held) {
			this.events.add(this.name + " released");
		}

	}

	private static class FailingProvider implements LockProvider {

		@Override
		public LockHandle acquire(LockRequest request, AcquireContext context) {
			throw new IllegalStateException("broken");
		}

		@Override
		public CompletableFuture<LockHandle> acquireAsync(LockRequest request, AcquireContext context) {
			throw new IllegalStateException("broken");
		}

	}

	private static final class WaitingProvider extends FailingProvider {

		private int told;

		@Override
		public LockHandle acquire(LockRequest request, AcquireContext context) {
			Runnable whenWaiting = context.whenWaiting();
			if (whenWaiting != null) {
				this.told++;
				whenWaiting.run();
			}
			return new NoOpLockProvider().acquire(request, context);
		}

	}

}
