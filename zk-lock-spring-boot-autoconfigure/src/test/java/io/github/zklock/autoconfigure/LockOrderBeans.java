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

package io.github.zklock.autoconfigure;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.zklock.annotation.DistributedLock;
import reactor.core.publisher.Mono;

/**
 * Beans that take the locks of each other.
 */
final class LockOrderBeans {

	private LockOrderBeans() {
	}

	static class Orders {

		@DistributedLock(key = "order:#{#id}", name = "order")
		void call(long id, Runnable body) {
			body.run();
		}

		@DistributedLock(key = "order:#{#id}", name = "order", waitMs = 0)
		void tryCall(long id, Runnable body) {
			body.run();
		}

		@DistributedLock(key = "stock:#{#id}", name = "stock")
		@DistributedLock(key = "order:#{#id}", name = "order")
		void callBoth(long id, Runnable body) {
			body.run();
		}

		@DistributedLock(key = "order:#{#id}", name = "order")
		CompletableFuture<String> future(long id, Supplier<CompletableFuture<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "order:#{#id}", name = "order")
		Mono<String> mono(long id, Mono<String> body) {
			return body;
		}

	}

	static class Stock {

		@DistributedLock(key = "stock:#{#id}", name = "stock")
		void call(long id, Runnable body) {
			body.run();
		}

		@DistributedLock(key = "stock:#{#id}", name = "stock")
		CompletableFuture<String> future(long id, Supplier<CompletableFuture<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "stock:#{#id}", name = "stock")
		Mono<String> mono(long id, Mono<String> body) {
			return body;
		}

	}

	static class Invoices {

		@DistributedLock(key = "invoice:#{#id}", name = "invoice")
		void call(long id, Runnable body) {
			body.run();
		}

	}

}
