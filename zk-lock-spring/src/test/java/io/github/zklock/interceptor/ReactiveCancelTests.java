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

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.core.LockHandle;
import io.github.zklock.interceptor.ReactiveMethodBeans.Orders;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Subscribers of a guarded publisher that want less than all of it.
 */
class ReactiveCancelTests {

	private final GuardedProxy proxy = new GuardedProxy();

	private final LockEvents events = this.proxy.events();

	private final Orders orders = this.proxy.of(new Orders());

	private final Mono<String> body = Mono.fromSupplier(() -> {
		this.events.add("body");
		return "done";
	});

	@Test
	void demandIsPassedOn() throws Exception {
		CountDownLatch received = new CountDownLatch(1);
		BaseSubscriber<String> subscriber = new BaseSubscriber<>() {

			@Override
			protected void hookOnSubscribe(Subscription subscription) {
				request(1);
			}

			@Override
			protected void hookOnNext(String value) {
				received.countDown();
			}

		};
		AtomicInteger emitted = new AtomicInteger();
		this.orders.flux(() -> Flux.just("a", "b", "c").doOnNext((value) -> emitted.incrementAndGet()))
			.subscribe(subscriber);
		assertThat(received.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(emitted).hasValue(1);
		assertThat(this.proxy.provider().keysInUse()).isOne();
		subscriber.cancel();
		awaitRelease();
	}

	private void awaitRelease() {
		Awaitility.await().until(() -> this.proxy.provider().keysInUse() == 0);
	}

	@Test
	void cancelUnderTheLockReleasesIt() {
		CountDownLatch subscribed = new CountDownLatch(1);
		Disposable subscription = this.orders
			.mono(() -> Mono.<String>never()
				.doOnSubscribe((body) -> subscribed.countDown())
				.doOnCancel(() -> this.events.add("cancelled")))
			.subscribe();
		Awaitility.await().until(() -> subscribed.getCount() == 0);
		assertThat(this.proxy.provider().keysInUse()).isOne();
		subscription.dispose();
		awaitRelease();
		assertThat(this.events.list()).containsExactly("lock mono", "call", "cancelled", "unlock");
		assertThat(this.proxy.provider().keysInUse()).isZero();
	}

	@Test
	void cancelStopsABodyThatGivesItsValuesAtOnce() {
		Flux<String> values = Flux.range(1, 1000).map(String::valueOf).doOnNext(this.events::add);
		assertThat(this.orders.flux(() -> values).blockFirst()).isEqualTo("1");
		awaitRelease();
		assertThat(this.events.list()).containsExactly("lock flux", "call", "1", "unlock");
	}

	@Test
	void cancelWhileWaitingWithdrawsTheRequest() {
		LockHandle other = this.proxy.holdByAnother("mono");
		this.orders.mono(() -> this.body).subscribe().dispose();
		other.release();
		assertThat(this.proxy.provider().keysInUse()).isZero();
		assertThat(this.events.list()).isEmpty();
	}

	@Test
	void cancelBeforeTheSubscriptionHasBegunAcquiresNothing() {
		this.orders.mono(() -> this.body).subscribe(new BaseSubscriber<>() {

			@Override
			protected void hookOnSubscribe(Subscription subscription) {
				cancel();
			}

		});
		assertThat(this.events.list()).isEmpty();
	}

	@Test
	void cancelLeavesTheLockToAMethodThatHasNotReturned() {
		Disposable.Swap subscription = Disposables.swap();
		LockHandle other = this.proxy.holdByAnother("mono");
		AtomicInteger subscribed = new AtomicInteger();
		AtomicInteger held = new AtomicInteger();
		subscription.update(this.orders.mono(() -> {
			subscription.dispose();
			held.set(this.proxy.provider().keysInUse());
			this.events.add("returned");
			return this.body.doOnSubscribe((started) -> subscribed.incrementAndGet());
		}).subscribe());
		other.release();
		Awaitility.await().untilAsserted(() -> assertThat(this.events.list()).contains("unlock"));
		assertThat(this.events.list()).containsSubsequence("lock mono", "call", "returned", "unlock");
		assertThat(held).hasValue(1);
		assertThat(subscribed).hasValue(0);
	}

}
