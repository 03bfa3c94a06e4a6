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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.zklock.interceptor.ReactiveMethodBeans.Orders;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Publishers whose work does not stop when they are cancelled, since it blocks a thread.
 */
class BlockingPublisherTests {

	private static final Duration BOUND = Duration.ofSeconds(30);

	private final GuardedProxy proxy = new GuardedProxy();

	private final Orders orders = this.proxy.of(new Orders());

	private final CountDownLatch started = new CountDownLatch(1);

	private final CountDownLatch finish = new CountDownLatch(1);

	@AfterEach
	void finish() {
		this.finish.countDown();
	}

	@Test
	void timeoutOfTheCallerLeavesTheLockToTheBody() throws Exception {
		Mono<String> work = Mono.fromCallable(this::work).subscribeOn(Schedulers.boundedElastic());
		CompletableFuture<String> result = this.orders.mono(() -> work)
			.timeout(Mono.fromFuture(this::hasStarted))
			.toFuture();
		assertThat(result).failsWithin(BOUND).withThrowableThat().withCauseInstanceOf(TimeoutException.class);
		isHeldUntilTheWorkIsDone();
	}

	@ParameterizedTest
	@MethodSource
	void cancelLeavesTheLockToTheBody(Function<Mono<String>, Mono<String>> shape) throws Exception {
		Disposable subscription = this.orders.mono(() -> shape.apply(Mono.fromCallable(this::work))).subscribe();
		assertThat(this.started.await(30, TimeUnit.SECONDS)).isTrue();
		subscription.dispose();
		isHeldUntilTheWorkIsDone();
	}

	@Test
	void cancelLeavesTheLockToTheBodyAlthoughTheHooksOfReactorWereReset() throws Exception {
		Schedulers.resetOnScheduleHooks();
		cancelLeavesTheLockToTheBody((work) -> work.subscribeOn(Schedulers.boundedElastic()));
	}

	static Stream<Named<Function<Mono<String>, Mono<String>>>> cancelLeavesTheLockToTheBody() {
		return Stream.of(shape("subscribeOn", (work) -> work.subscribeOn(Schedulers.boundedElastic())),
				shape("own executor",
						(work) -> work.subscribeOn(Schedulers.fromExecutor((task) -> new Thread(task).start()))),
				shape("delayed", (work) -> Mono.delay(Duration.ofMillis(1)).then(work)),
				shape("publishOn", (work) -> Mono.just("any").publishOn(Schedulers.single()).then(work)),
				shape("two threads",
						(work) -> Mono.delay(Duration.ofMillis(1)).then(work.subscribeOn(Schedulers.boundedElastic()))),
				shape("flatMap", (work) -> Flux.range(1, 2)
					.flatMap((i) -> (i == 1) ? Mono.<String>never() : work.subscribeOn(Schedulers.boundedElastic()))
					.next()));
	}

	private static Named<Function<Mono<String>, Mono<String>>> shape(String name,
			Function<Mono<String>, Mono<String>> shape) {
		return Named.of(name, shape);
	}

	@Test
	void valueThatIsEnoughLeavesTheLockToTheBody() throws Exception {
		Flux<String> values = Flux.<String>create((sink) -> {
			sink.next("first");
			work();
			sink.complete();
		}).subscribeOn(Schedulers.boundedElastic());
		assertThat(this.orders.flux(() -> values).blockFirst(BOUND)).isEqualTo("first");
		isHeldUntilTheWorkIsDone();
	}

	@Test
	void timeoutInsideTheBodyIsToldAtOnceAndLeavesTheLockToTheBody() throws Exception {
		Mono<String> work = Mono.fromCallable(this::work).subscribeOn(Schedulers.boundedElastic());
		CompletableFuture<String> result = this.orders.mono(() -> work.timeout(Mono.fromFuture(this::hasStarted)))
			.toFuture();
		assertThat(result).failsWithin(BOUND).withThrowableThat().withCauseInstanceOf(TimeoutException.class);
		isHeldUntilTheWorkIsDone();
	}

	@Test
	void lockAroundANestedCallOutlivesItsBody() throws Exception {
		Mono<String> work = Mono.fromCallable(this::work).subscribeOn(Schedulers.boundedElastic());
		Disposable subscription = this.orders.flux(() -> this.orders.mono(() -> work).flux()).subscribe();
		assertThat(this.started.await(30, TimeUnit.SECONDS)).isTrue();
		subscription.dispose();
		assertThat(this.proxy.provider().keysInUse()).isEqualTo(2);
		this.finish.countDown();
		Awaitility.await().until(() -> this.proxy.provider().keysInUse() == 0);
	}

	@Test
	void workOfTheSubscriberIsNotThatOfTheBody() throws Exception {
		Disposable subscription = this.orders.flux(() -> Flux.just("value").concatWith(Mono.never()))
			.publishOn(Schedulers.boundedElastic())
			.subscribe((value) -> work());
		assertThat(this.started.await(30, TimeUnit.SECONDS)).isTrue();
		subscription.dispose();
		// The thread that has subscribed to the body may still come back from it.
		Awaitility.await().until(() -> this.proxy.provider().keysInUse() == 0);
		assertThat(this.finish.getCount()).isOne();
	}

	@Test
	void workThatGoesOnAfterTheEndKeepsNothing() throws Exception {
		Mono<String> value = Mono.fromSupplier(() -> {
			Schedulers.boundedElastic().schedule(this::work);
			return "done";
		});
		assertThat(this.orders.mono(() -> value).block(BOUND)).isEqualTo("done");
		assertThat(this.started.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.proxy.provider().keysInUse()).isZero();
	}

	// Nested calls have overflowed the stack after 1,700.
	@Test
	void nextCallOutOfABodyIsNotNestedInIt() {
		CompletableFuture<Integer> last = new CompletableFuture<>();
		callNext(1, last);
		// So many changes of threads take a busy machine longer than all else here.
		assertThat(last).succeedsWithin(Duration.ofMinutes(5)).isEqualTo(3_000);
	}

	// Like a job that orders its next run.
	private void callNext(int number, CompletableFuture<Integer> last) {
		Mono<String> body = Mono.fromSupplier(() -> {
			if (number == 3_000) {
				last.complete(number);
			}
			else {
				Schedulers.single().schedule(() -> callNext(number + 1, last));
			}
			return "done";
		});
		this.orders.mono(() -> body).subscribe((value) -> {
		}, last::completeExceptionally);
	}

	@Test
	void failureOnAThreadOfTheBodyIsToldAfterTheRelease() {
		Mono<String> failing = Mono.<String>error(new IllegalStateException("body"))
			.subscribeOn(Schedulers.boundedElastic());
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.orders.mono(() -> failing)
			.doOnError((failure) -> this.proxy.events().add("error"))
			.block(BOUND));
		assertThat(this.proxy.events().list()).containsExactly("lock mono", "call", "unlock", "error");
	}

	private void isHeldUntilTheWorkIsDone() {
		assertThat(this.proxy.provider().keysInUse()).isOne();
		assertThat(this.proxy.events().list()).doesNotContain("unlock");
		this.finish.countDown();
		Awaitility.await().until(() -> this.proxy.provider().keysInUse() == 0);
		assertThat(this.proxy.events().list()).contains("unlock");
	}

	private CompletableFuture<Void> hasStarted() {
		return CompletableFuture.runAsync(() -> awaitUninterruptibly(this.started));
	}

	// As a driver that does not mind an interrupt.
	private String work() {
		this.started.countDown();
		awaitUninterruptibly(this.finish);
		return "done";
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		boolean interrupted = false;
		while (latch.getCount() > 0) {
			try {
				latch.await();
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

}
