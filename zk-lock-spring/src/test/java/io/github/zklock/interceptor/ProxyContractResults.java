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

import java.util.concurrent.CompletableFuture;

import io.github.zklock.annotation.DistributedLock;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.Transactional;

/**
 * The beans of the proxy contract whose methods return before their work is done.
 */
final class ProxyContractResults {

	private ProxyContractResults() {
	}

	interface Results {

		CompletableFuture<String> future();

		CompletableFuture<String> transactionalFuture();

		CompletableFuture<String> asyncFuture();

		void complete();

		void fail();

		void finish();

		Mono<String> mono();

		Mono<String> finallyMono();

		Mono<String> blockingMono();

		Flux<String> flux();

	}

	static class ResultBean implements Results {

		private final LockEvents events;

		private volatile CompletableFuture<String> work = new CompletableFuture<>();

		ResultBean(LockEvents events) {
			this.events = events;
		}

		@Override
		@DistributedLock("future")
		public CompletableFuture<String> future() {
			this.events.add("body");
			return begin();
		}

		@Override
		@Transactional
		@DistributedLock("future")
		public CompletableFuture<String> transactionalFuture() {
			this.events.add("body");
			return begin();
		}

		@Override
		@Async
		@DistributedLock("future")
		public CompletableFuture<String> asyncFuture() {
			this.events.add("body");
			return CompletableFuture.supplyAsync(() -> {
				this.events.add("the future completes");
				return "done";
			});
		}

		@Override
		public void complete() {
			this.events.add("the future completes");
			this.work.complete("done");
		}

		@Override
		public void fail() {
			this.events.add("the future fails");
			this.work.completeExceptionally(new IllegalStateException("wanted"));
		}

		@Override
		public void finish() {
			this.work.complete("done");
		}

		@Override
		@DistributedLock("mono")
		public Mono<String> mono() {
			this.events.add("body");
			return Mono.fromSupplier(() -> {
				this.events.add("value");
				return "done";
			});
		}

		@Override
		@DistributedLock("mono")
		public Mono<String> finallyMono() {
			this.events.add("body");
			return Mono.just("done").doFinally((signal) -> this.events.add("`doFinally` of the method"));
		}

		// To join is not interrupted by the cancellation.
		@Override
		@DistributedLock("mono")
		public Mono<String> blockingMono() {
			this.events.add("body");
			CompletableFuture<String> begun = begin();
			return Mono.fromCallable(() -> {
				this.events.add("its work begins");
				begun.join();
				this.events.add("its work ends");
				return "done";
			}).subscribeOn(Schedulers.boundedElastic());
		}

		private CompletableFuture<String> begin() {
			CompletableFuture<String> begun = new CompletableFuture<>();
			this.work = begun;
			return begun;
		}

		@Override
		@DistributedLock("flux")
		public Flux<String> flux() {
			this.events.add("body");
			return Flux.just("first", "second").doOnNext(this.events::add);
		}

	}

}
