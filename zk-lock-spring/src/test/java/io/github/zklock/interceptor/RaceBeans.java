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

package io.github.zklock.interceptor;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.AcquireContext;
import io.github.zklock.core.spi.LockProvider;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * What races in {@link TimeoutRaceTests}.
 */
final class RaceBeans {

	private RaceBeans() {
	}

	static class Racer {

		private final AtomicInteger inside = new AtomicInteger();

		private final AtomicLong lastToken = new AtomicLong();

		final AtomicInteger bodies = new AtomicInteger();

		final AtomicInteger overlaps = new AtomicInteger();

		@DistributedLock("race")
		String sync() {
			enter();
			return leave();
		}

		@DistributedLock("race")
		CompletableFuture<String> future() {
			enter();
			return CompletableFuture.supplyAsync(this::leave);
		}

		@DistributedLock("race")
		Mono<String> mono() {
			enter();
			return Mono.fromSupplier(this::leave).subscribeOn(Schedulers.parallel());
		}

		private void enter() {
			long token = LockHandle.current().fencingToken();
			if (this.inside.incrementAndGet() > 1 || this.lastToken.getAndSet(token) >= token) {
				this.overlaps.incrementAndGet();
			}
			this.bodies.incrementAndGet();
		}

		private String leave() {
			this.inside.decrementAndGet();
			return "done";
		}

	}

	/**
	 * Waits a little less after a grant and a little longer after a refusal, so that both
	 * happen about equally often on every machine.
	 */
	static final class BalancedWait implements LockProvider {

		private static final long LEAST = 100_000;

		private final LockProvider delegate;

		private final AtomicLong nanos = new AtomicLong(5_000_000);

		BalancedWait(LockProvider delegate) {
			this.delegate = delegate;
		}

		@Override
		public LockHandle acquire(LockRequest request, AcquireContext context) {
			try {
				LockHandle handle = this.delegate.acquire(balanced(request), context);
				adjust(true);
				return handle;
			}
			catch (LockException ex) {
				adjust(false);
				throw ex;
			}
		}

		@Override
		public CompletableFuture<LockHandle> acquireAsync(LockRequest request, AcquireContext context) {
			CompletableFuture<LockHandle> acquiring = this.delegate.acquireAsync(balanced(request), context);
			acquiring.whenComplete((handle, failure) -> adjust(failure == null));
			return acquiring;
		}

		private LockRequest balanced(LockRequest request) {
			return request.withWait(Duration.ofNanos(this.nanos.get()));
		}

		private void adjust(boolean granted) {
			this.nanos.updateAndGet((now) -> granted ? Math.max(LEAST, now - now / 16) : now + now / 16);
		}

	}

}
