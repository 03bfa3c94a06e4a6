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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.interceptor.ReactiveMethodBeans.Orders;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * The loss of the lock of a publisher.
 */
class ReactiveLossTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private final GuardedProxy proxy = new GuardedProxy();

	private final LockEvents events = this.proxy.events();

	private final Orders orders = this.proxy.of(new Orders());

	@Test
	void valueOfAMonoThatLostItsLockIsNotTold() {
		assertThat(lossOf((body) -> this.orders.mono(() -> body))).isInstanceOf(LockLostException.class);
		assertThat(this.events.list()).doesNotContain("next done");
	}

	@Test
	void endOfAFluxThatLostItsLockIsAFailure() {
		Flux<String> result = this.orders.flux(() -> Flux.just("a", "b").doOnComplete(this::lose));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> result.blockLast(BOUND));
	}

	@Test
	void failureOfTheBodyStaysPrimary() {
		IOException failure = new IOException("body");
		Throwable thrown = catchThrowable(
				() -> this.orders.mono(() -> Mono.<String>error(failure).doOnSubscribe((subscription) -> lose()))
					.block(BOUND));
		assertThat(thrown).hasCause(failure);
		assertThat(failure.getSuppressed()).hasExactlyElementsOfTypes(LockLostException.class);
	}

	@Test
	void lossIsIgnoredOnRequest() {
		assertThat(lossOf((body) -> this.orders.ignore(() -> body))).isNull();
		assertThat(this.events.list()).contains("next done");
	}

	@Test
	void lossCancelsTheBodyOnRequest() throws Exception {
		CompletableFuture<LockHandle> inside = new CompletableFuture<>();
		CompletableFuture<String> result = this.orders.interrupt(() -> {
			LockHandle handle = LockHandle.current();
			return Mono.<String>never()
				.doOnSubscribe((subscription) -> inside.complete(handle))
				.doOnCancel(() -> this.events.add("cancelled"));
		}).toFuture();
		assertThat(inside.get(30, TimeUnit.SECONDS).isHeld()).isTrue();
		lose();
		assertThat(result).failsWithin(BOUND).withThrowableThat().withCauseInstanceOf(LockLostException.class);
		Awaitility.await().until(() -> this.events.list().contains("cancelled"));
	}

	@Test
	void bodyThatKeepsItsLockIsNotCancelled() {
		assertThat(this.orders.interrupt(() -> Mono.just("done")).block(BOUND)).isEqualTo("done");
		assertThat(this.proxy.provider().keysInUse()).isZero();
	}

	private Throwable lossOf(Function<Mono<String>, Mono<String>> call) {
		Mono<String> body = Mono.fromSupplier(() -> {
			lose();
			return "done";
		});
		return catchThrowable(
				() -> call.apply(body).doOnNext((value) -> this.events.add("next " + value)).block(BOUND));
	}

	private void lose() {
		this.proxy.provider().loseAll();
	}

}
