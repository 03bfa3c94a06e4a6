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

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockKeyException;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopContext;
import org.springframework.scheduling.annotation.Async;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Methods whose work goes on when their caller has left: on which thread, in which scope,
 * and what fails later.
 */
class AsyncMethodTests {

	private static final Duration BOUND = Duration.ofSeconds(30);

	private final GuardedProxy proxy = new GuardedProxy();

	private final Orders orders = this.proxy.of(new Orders());

	private final LockTemplate template = new LockTemplate(this.proxy.provider());

	private final CountDownLatch left = new CountDownLatch(1);

	@AfterEach
	void nothingIsHeld() {
		assertThat(this.proxy.provider().keysInUse()).isZero();
	}

	@Test
	void stageThatCannotBecomeAFutureHoldsTheLockUntilItCompletes() {
		CompletableFuture<String> work = new CompletableFuture<>();
		CompletableFuture<String> result = this.orders.stage(() -> plain(work)).toCompletableFuture();
		assertThat(this.proxy.provider().keysInUse()).isOne();
		assertThat(result).isNotDone();
		work.complete("done");
		assertThat(result).succeedsWithin(BOUND).isEqualTo("done");
	}

	@Test
	void keyThatFailsFailsTheFutureOrThePublisher() {
		assertThat(this.orders.futureOf(null)).failsWithin(BOUND)
			.withThrowableThat()
			.withCauseInstanceOf(LockKeyException.class);
		Mono<String> mono = this.orders.monoOf(null);
		assertThat(mono.toFuture()).failsWithin(BOUND).withThrowableThat().withCauseInstanceOf(LockKeyException.class);
		Flux<String> flux = this.orders.conditional(null);
		assertThat(flux.next().toFuture()).failsWithin(BOUND);
	}

	@Test
	void reentryRunsOnAnotherThreadAsWell() {
		Thread caller = Thread.currentThread();
		assertThat(this.orders.future(Thread::currentThread)).succeedsWithin(BOUND).isNotSameAs(caller);
		CompletableFuture<Object> nested = this.template.execute(LockRequest.of("orders"),
				(handle) -> this.orders.future(Thread::currentThread));
		assertThat(nested).succeedsWithin(BOUND).isNotSameAs(caller);
	}

	@Test
	void publisherIsReenteredAfterItsCallerHasLeft() {
		CompletableFuture<String> result = new CompletableFuture<>();
		this.template.<Void, RuntimeException>execute(LockRequest.of("orders"), (handle) -> {
			Mono<String> nested = this.orders.mono(() -> Mono.just("nested"));
			this.orders
				.mono(() -> Mono.fromRunnable(this::awaitLeft).subscribeOn(Schedulers.boundedElastic()).then(nested))
				.subscribe(result::complete, result::completeExceptionally);
			return null;
		});
		this.left.countDown();
		assertThat(result).succeedsWithin(BOUND).isEqualTo("nested");
	}

	// A shared source calls the operators of all its subscribers on one thread.
	@ParameterizedTest
	@MethodSource
	void flowsThatShareASourceExcludeEachOther(UnaryOperator<Mono<String>> sharing) {
		CountDownLatch begun = new CountDownLatch(1);
		Mono<String> source = sharing.apply(Mono.fromCallable(() -> {
			begun.countDown();
			awaitLeft();
			return "value";
		}).subscribeOn(Schedulers.boundedElastic()));
		CompletableFuture<String> work = new CompletableFuture<>();
		CompletableFuture<String> first = this.orders.mono(() -> source.then(Mono.fromFuture(work))).toFuture();
		Awaitility.await().until(() -> begun.getCount() == 0);
		CompletableFuture<String> publisher = source.flatMap((value) -> this.orders.mono(() -> Mono.just("both")))
			.toFuture();
		CompletableFuture<String> future = source.flatMap(
				(value) -> Mono.fromFuture(this.template.executeAsync(LockRequest.of("orders").withWait(Duration.ZERO),
						(handle) -> CompletableFuture.completedFuture("both"))))
			.toFuture();
		CompletableFuture<Boolean> underALock = source.map((value) -> isUnderALock()).toFuture();
		this.left.countDown();
		assertThat(publisher).failsWithin(BOUND)
			.withThrowableThat()
			.withCauseInstanceOf(LockNotAcquiredException.class);
		assertThat(future).failsWithin(BOUND).withThrowableThat().withCauseInstanceOf(LockNotAcquiredException.class);
		assertThat(underALock).succeedsWithin(BOUND).isEqualTo(false);
		assertThat(first).isNotDone();
		work.complete("first");
		assertThat(first).succeedsWithin(BOUND).isEqualTo("first");
	}

	static Stream<Named<UnaryOperator<Mono<String>>>> flowsThatShareASourceExcludeEachOther() {
		return Stream.of(Named.of("cache", Mono::cache), Named.of("share", Mono::share),
				Named.of("replay", (source) -> source.flux().replay().refCount(1).next()));
	}

	@Test
	void currentProxyIsKnownWhereTheProxyExposesIt() {
		Orders exposed = this.proxy.exposed(new Orders());
		assertThat(exposed.future(AopContext::currentProxy)).succeedsWithin(BOUND).isSameAs(exposed);
		assertThat(exposed.mono(() -> Mono.just(String.valueOf(AopContext.currentProxy() instanceof Advised)))
			.block(BOUND)).isEqualTo("true");
	}

	@Test
	void asyncMethodThatNothingRunsAsynchronouslyDoesNotBlockItsCaller() {
		CompletableFuture<String> work = new CompletableFuture<>();
		CompletableFuture<CompletableFuture<String>> call = CompletableFuture
			.supplyAsync(() -> this.orders.async(work));
		assertThat(call).succeedsWithin(BOUND);
		assertThat(call.join()).isNotDone();
		work.complete("done");
		assertThat(call.join()).succeedsWithin(BOUND).isEqualTo("done");
	}

	private void awaitLeft() {
		try {
			assertThat(this.left.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static boolean isUnderALock() {
		try {
			return LockHandle.current() != null;
		}
		catch (IllegalStateException ex) {
			return false;
		}
	}

	// As the documentation of CompletionStage allows.
	@SuppressWarnings("unchecked")
	private static CompletionStage<String> plain(CompletableFuture<String> work) {
		return (CompletionStage<String>) Proxy.newProxyInstance(AsyncMethodTests.class.getClassLoader(),
				new Class<?>[] { CompletionStage.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("toCompletableFuture")) {
						throw new UnsupportedOperationException("no future");
					}
					try {
						Object result = method.invoke(work, arguments);
						return (result instanceof CompletableFuture<?> stage) ? plain((CompletableFuture<String>) stage)
								: result;
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				});
	}

	static class Orders {

		@DistributedLock("orders")
		CompletionStage<String> stage(Supplier<CompletionStage<String>> body) {
			return body.get();
		}

		@DistributedLock("orders")
		CompletableFuture<Object> future(Supplier<Object> body) {
			return CompletableFuture.completedFuture(body.get());
		}

		@DistributedLock(key = "orders", waitMs = 0)
		Mono<String> mono(Supplier<Mono<String>> body) {
			return body.get();
		}

		@DistributedLock("order:#{#id}")
		CompletableFuture<String> futureOf(@Nullable String id) {
			return CompletableFuture.completedFuture("done");
		}

		@DistributedLock("order:#{#id}")
		Mono<String> monoOf(@Nullable String id) {
			return Mono.just("done");
		}

		@DistributedLock(key = "orders", condition = "#id.length() > 0")
		Flux<String> conditional(@Nullable String id) {
			return Flux.just("done");
		}

		@Async
		@DistributedLock("orders")
		CompletableFuture<String> async(CompletableFuture<String> work) {
			return work;
		}

	}

}
