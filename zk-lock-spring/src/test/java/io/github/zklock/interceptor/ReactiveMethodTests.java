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

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockState;
import io.github.zklock.core.internal.LockScope;
import io.github.zklock.core.internal.NoOpLockProvider;
import io.github.zklock.interceptor.ReactiveMethodBeans.Orders;
import io.github.zklock.support.PlainLockHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Methods that return a publisher.
 */
class ReactiveMethodTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private final GuardedProxy proxy = new GuardedProxy();

	private final LockEvents events = this.proxy.events();

	private final Orders orders = this.proxy.of(new Orders());

	private final Mono<String> body = Mono.fromSupplier(() -> {
		this.events.add("body");
		return "done";
	});

	@Test
	void nothingHappensBeforeTheSubscription() {
		Mono<String> result = this.orders.mono(() -> this.body);
		assertThat(this.events.list()).isEmpty();
		assertThat(told(result)).isEqualTo("done");
		assertThat(this.events.list()).containsExactly("lock mono", "call", "body", "unlock", "next done", "complete");
	}

	@Test
	void eachSubscriptionTakesTheLockAndCallsTheMethod() {
		told(this.orders.mono(() -> this.body).repeat(1));
		assertThat(this.events.list()).containsExactly("lock mono", "call", "body", "unlock", "next done", "lock mono",
				"call", "body", "unlock", "next done", "complete");
	}

	@Test
	void itemsAreToldUnderTheLockAndTheEndAfterIt() {
		told(this.orders.flux(() -> Flux.just("a", "b")));
		assertThat(this.events.list()).containsExactly("lock flux", "call", "next a", "next b", "unlock", "complete");
	}

	@ParameterizedTest
	@MethodSource
	void failureIsToldAfterTheRelease(Supplier<Mono<String>> failing, Class<? extends Throwable> expected) {
		assertThat(failureOf(this.orders.mono(failing))).isInstanceOf(expected);
		assertThat(this.events.list()).containsExactly("lock mono", "call", "unlock", "error");
	}

	static Stream<Arguments> failureIsToldAfterTheRelease() {
		Supplier<Mono<String>> error = () -> Mono.error(new IOException("publisher"));
		Supplier<Mono<String>> late = () -> Mono.<String>error(new IOException("publisher"))
			.delaySubscription(Duration.ofMillis(5));
		Supplier<Mono<String>> thrown = () -> {
			throw new IllegalStateException("method");
		};
		return Stream.of(Arguments.of(error, IOException.class), Arguments.of(late, IOException.class),
				Arguments.of(thrown, IllegalStateException.class),
				Arguments.of((Supplier<Mono<String>>) () -> null, NullPointerException.class));
	}

	@Test
	void refusalIsAnErrorOrEmpty() {
		LockHandle other = this.proxy.holdByAnother("once");
		assertThat(failureOf(this.orders.once(() -> this.body))).isInstanceOf(LockNotAcquiredException.class);
		assertThat(told(this.orders.skip(() -> this.body))).isNull();
		assertThat(this.events.list()).containsExactly("refused once", "error", "refused once", "complete");
		other.release();
		LockNotAcquiredException inside = new LockNotAcquiredException(this.events.requests().get(0), Duration.ZERO,
				null);
		assertThat(failureOf(this.orders.skip(() -> Mono.error(inside)))).isSameAs(inside);
	}

	@Test
	void bodyThatAsksForItsLockLearnsOfTheParameter() {
		Mono<String> current = Mono.fromSupplier(() -> LockHandle.current().key()).subscribeOn(Schedulers.parallel());
		assertThat(failureOf(this.orders.mono(() -> current))).isInstanceOf(IllegalStateException.class)
			.hasMessageContaining("A publisher or a future does its work on other threads")
			.hasMessageContaining("give the method a parameter of type LockHandle");
	}

	@Test
	void chainReentersItsLockOnEveryThread() {
		Mono<String> nested = Mono.defer(() -> this.orders.mono(() -> this.body)).subscribeOn(Schedulers.parallel());
		assertThat(told(this.orders.mono(() -> nested))).isEqualTo("done");
		assertThat(this.events.list()).containsExactly("lock mono", "call", "lock mono", "call", "body", "unlock",
				"unlock", "next done", "complete");
	}

	@Test
	void bodyThatReentersItsLockNeverRunsOnTheThreadOfItsSubscriber() {
		Mono<String> nested = Mono.defer(() -> {
			Thread subscriber = Thread.currentThread();
			return this.orders.mono(() -> Mono.just((Thread.currentThread() != subscriber) ? "other" : "same"));
		});
		assertThat(told(this.orders.mono(() -> nested))).isEqualTo("other");
	}

	@Test
	void bodyRunsOnTheThreadOfItsSubscriberWhileLocksAreTurnedOff() {
		Orders off = this.proxy.of(new Orders(), new NoOpLockProvider());
		AtomicReference<Thread> thread = new AtomicReference<>();
		off.mono(() -> Mono.<String>fromRunnable(() -> thread.set(Thread.currentThread()))).subscribe();
		assertThat(thread).hasValue(Thread.currentThread());
	}

	@Test
	void failureOfThePublisherComesOutUnchanged() {
		CompletionException failure = new CompletionException(new IOException("publisher"));
		assertThat(told(this.orders.mono(() -> Mono.error(failure))
			.onErrorResume(CompletionException.class, (caught) -> Mono.just("resumed")))).isEqualTo("resumed");
	}

	@Test
	void subscriptionWhoseScopeCannotBeMadeFailsAndReleasesItsLock() {
		IllegalStateException failure = new IllegalStateException("no state");
		PlainLockHandle outer = new PlainLockHandle("outer", LockMode.EXCLUSIVE, 1) {

			@Override
			public LockState state() {
				throw failure;
			}

		};
		Throwable thrown = LockScope.call(outer, (held) -> failureOf(this.orders.mono(() -> this.body)));
		assertThat(thrown).isSameAs(failure);
		assertThat(this.proxy.provider().keysInUse()).isZero();
	}

	@Test
	void callsSideBySideInAChainExcludeEachOther() {
		AtomicInteger inside = new AtomicInteger();
		AtomicInteger overlaps = new AtomicInteger();
		Supplier<Mono<String>> step = () -> Mono.fromRunnable(() -> {
			if (inside.incrementAndGet() > 1) {
				overlaps.incrementAndGet();
			}
		}).then(Mono.delay(Duration.ofMillis(2))).doOnNext((tick) -> inside.decrementAndGet()).thenReturn("step");
		List<String> steps = this.orders
			.flux(() -> Flux.range(0, 20).flatMap((i) -> this.orders.mono(step).subscribeOn(Schedulers.parallel())))
			.collectList()
			.block(BOUND);
		assertThat(steps).hasSize(20);
		assertThat(overlaps).hasValue(0);
	}

	@Test
	void threadThatBlocksUnderItsOwnLockReentersIt() {
		String result = this.orders.blocking(() -> this.orders.mono(() -> this.body).block(BOUND));
		assertThat(result).isEqualTo("done");
	}

	@ParameterizedTest
	@MethodSource
	void takesEveryTypeThatTheRegistryKnows(String key, Function<Orders, Publisher<String>> call) {
		Publisher<String> result = call.apply(this.orders);
		assertThat(this.events.list()).isEmpty();
		assertThat(told(Flux.from(result))).isEqualTo("done");
		assertThat(this.events.list()).startsWith("lock " + key, "call").endsWith("complete").contains("unlock");
	}

	static Stream<Arguments> takesEveryTypeThatTheRegistryKnows() {
		return ReactiveMethodBeans.otherTypes();
	}

	private <T> T told(Mono<T> result) {
		return told(result.flux());
	}

	private <T> T told(Flux<T> result) {
		return result.doOnNext((value) -> this.events.add("next " + value))
			.doOnError((failure) -> this.events.add("error"))
			.doOnComplete(() -> this.events.add("complete"))
			.blockLast(BOUND);
	}

	private Throwable failureOf(Mono<?> result) {
		try {
			told(result);
			throw new AssertionError("No failure");
		}
		catch (RuntimeException ex) {
			return Exceptions.unwrap(ex);
		}
	}

}
