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

import java.util.concurrent.Flow;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LossPolicy;
import io.github.zklock.core.NotAcquiredPolicy;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Single;
import org.junit.jupiter.params.provider.Arguments;
import org.reactivestreams.Publisher;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Beans whose methods return publishers.
 */
final class ReactiveMethodBeans {

	private ReactiveMethodBeans() {
	}

	static Stream<Arguments> otherTypes() {
		Function<Orders, Publisher<String>> publisher = Orders::publisher;
		Function<Orders, Publisher<String>> flow = (orders) -> JdkFlowAdapter.flowPublisherToFlux(orders.flow());
		Function<Orders, Publisher<String>> flowable = Orders::flowable;
		Function<Orders, Publisher<String>> single = (orders) -> orders.single().toFlowable();
		Function<Orders, Publisher<String>> completable = (orders) -> orders.completable()
			.andThen(Flowable.just("done"));
		return Stream.of(Arguments.of("publisher", publisher), Arguments.of("flow", flow),
				Arguments.of("flowable", flowable), Arguments.of("single", single),
				Arguments.of("completable", completable));
	}

	static class Orders {

		@DistributedLock("mono")
		Mono<String> mono(Supplier<Mono<String>> body) {
			return body.get();
		}

		@DistributedLock("flux")
		Flux<String> flux(Supplier<Flux<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "once", waitMs = 0)
		Mono<String> once(Supplier<Mono<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "once", waitMs = 0, onNotAcquired = NotAcquiredPolicy.SKIP)
		Mono<String> skip(Supplier<Mono<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "ignore", onLost = LossPolicy.IGNORE)
		Mono<String> ignore(Supplier<Mono<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "interrupt", onLost = LossPolicy.INTERRUPT)
		Mono<String> interrupt(Supplier<Mono<String>> body) {
			return body.get();
		}

		@DistributedLock("mono")
		String blocking(Supplier<String> body) {
			return body.get();
		}

		@DistributedLock("publisher")
		Publisher<String> publisher() {
			return Mono.just("done");
		}

		@DistributedLock("flow")
		Flow.Publisher<String> flow() {
			return JdkFlowAdapter.publisherToFlowPublisher(Mono.just("done"));
		}

		@DistributedLock("flowable")
		Flowable<String> flowable() {
			return Flowable.just("done");
		}

		@DistributedLock("single")
		Single<String> single() {
			return Single.just("done");
		}

		@DistributedLock("completable")
		Completable completable() {
			return Completable.complete();
		}

	}

}
