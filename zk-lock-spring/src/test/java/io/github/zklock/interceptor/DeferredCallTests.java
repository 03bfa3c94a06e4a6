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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.FencingToken;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.UnavailablePolicy;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The attributes of the annotation on methods that go on after they have returned.
 */
class DeferredCallTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private final LockProxies proxies = new LockProxies();

	private final Orders orders = this.proxies.guard(new Orders());

	@Test
	void fallbackMethodAnswersInTheTypeOfTheMethod() {
		LockHandle other = this.proxies.holdByAnother("order");
		assertThat(this.orders.future("a").join()).isEqualTo("instead of a without order");
		assertThat(this.orders.mono("b").block(BOUND)).isEqualTo("instead of b without order");
		assertThat(this.orders.flux("c").collectList().block(BOUND)).containsExactly("instead of", "c");
		other.release();
		assertThat(this.orders.future("a").join()).isEqualTo("ran a");
		assertThat(this.orders.mono("b").block(BOUND)).isEqualTo("ran b");
		assertThat(this.orders.flux("c").collectList().block(BOUND)).containsExactly("ran", "c");
	}

	@Test
	void outageIsToldOrSkipped() {
		this.proxies.outage.set(true);
		assertThat(this.orders.future("a")).failsWithin(BOUND)
			.withThrowableThat()
			.withCauseInstanceOf(LockUnavailableException.class);
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.orders.mono("b").block(BOUND));
		assertThat(this.orders.skippedFuture()).succeedsWithin(BOUND).isNull();
		assertThat(this.orders.skippedMono().blockOptional(BOUND)).isEmpty();
	}

	@Test
	void handleAndTokenAreFilledInForEachSubscription() {
		Mono<Long> result = this.orders.tokenOfMono(null, 0);
		List<Long> tokens = Stream.of(result.block(BOUND), result.block(BOUND), this.orders.tokenOfFuture(0).join())
			.toList();
		assertThat(tokens).allMatch((token) -> token > 0).isSorted().doesNotHaveDuplicates();
	}

	@Test
	void disabledLockLeavesTheCallAlone() {
		this.proxies.settings.unguarded.add("orders-mono");
		assertThat(this.orders.mono("a").block(BOUND)).isEqualTo("ran a");
		assertThat(this.proxies.events.list()).isEmpty();
	}

	static class Orders {

		@DistributedLock(key = "order", waitMs = 0, fallbackMethod = "futureInstead")
		CompletableFuture<String> future(String id) {
			return CompletableFuture.completedFuture("ran " + id);
		}

		CompletableFuture<String> futureInstead(String id, LockNotAcquiredException refusal) {
			return CompletableFuture.completedFuture("instead of " + id + " without " + refusal.getKey());
		}

		@DistributedLock(key = "order", waitMs = 0, fallbackMethod = "monoInstead")
		Mono<String> mono(String id) {
			return Mono.just("ran " + id);
		}

		Mono<String> monoInstead(String id, LockNotAcquiredException refusal) {
			return Mono.just("instead of " + id + " without " + refusal.getKey());
		}

		@DistributedLock(key = "order", waitMs = 0, fallbackMethod = "fluxInstead")
		Flux<String> flux(String id) {
			return Flux.just("ran", id);
		}

		Flux<String> fluxInstead(String id) {
			return Flux.just("instead of", id);
		}

		@DistributedLock(key = "order", onUnavailable = UnavailablePolicy.SKIP)
		CompletableFuture<String> skippedFuture() {
			return CompletableFuture.completedFuture("ran");
		}

		@DistributedLock(key = "order", onUnavailable = UnavailablePolicy.SKIP)
		Mono<String> skippedMono() {
			return Mono.just("ran");
		}

		@DistributedLock("order")
		Mono<Long> tokenOfMono(LockHandle handle, @FencingToken long token) {
			return Mono.fromSupplier(() -> {
				assertThat(handle.isHeld()).isTrue();
				assertThat(handle.fencingToken()).isEqualTo(token);
				return token;
			});
		}

		@DistributedLock("order")
		CompletableFuture<Long> tokenOfFuture(@FencingToken long token) {
			return CompletableFuture.completedFuture(token);
		}

	}

}
