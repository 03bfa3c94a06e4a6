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

package io.github.zklock.interceptor.source;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.NotAcquiredPolicy;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.ConnectableFlux;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.AliasFor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Methods with locks that can and cannot work.
 */
final class LockOperationBeans {

	private LockOperationBeans() {
	}

	@Scheduled(cron = "0 0 3 * * *")
	@Retention(RetentionPolicy.RUNTIME)
	@interface Nightly {

	}

	@DistributedLock(mode = LockMode.READ, waitMs = 9)
	@Retention(RetentionPolicy.RUNTIME)
	@interface Mine {

		@AliasFor(annotation = DistributedLock.class, attribute = "key")
		String on();

	}

	static class Waits {

		@DistributedLock("k")
		void plain() {
		}

		@DistributedLock(key = "k", waitMs = 250)
		void waitMs() {
		}

		@DistributedLock(key = "k", waitMs = 0)
		void once() {
		}

		@DistributedLock(key = "k", waitTime = "5s")
		void text() {
		}

		@DistributedLock(key = "k", waitTime = "PT1M")
		void iso() {
		}

		@DistributedLock(key = "k", waitTime = "500")
		void millis() {
		}

		@DistributedLock(key = "k", waitTime = "${app.wait}")
		void placeholder() {
		}

		@DistributedLock(key = "k", waitTime = "${no.such:}")
		void emptyPlaceholder() {
		}

		@DistributedLock(key = "k", waitTime = "forever")
		void forever() {
		}

		@Scheduled(fixedDelay = 1)
		@DistributedLock("k")
		void scheduled() {
		}

		@Nightly
		@DistributedLock("k")
		void composedSchedule() {
		}

		@Scheduled(fixedDelay = 1)
		@DistributedLock(key = "k", waitMs = 2000)
		void patientSchedule() {
		}

		@Scheduled(fixedDelay = 1)
		@DistributedLock(key = "k", onNotAcquired = NotAcquiredPolicy.THROW)
		void throwingSchedule() {
		}

		@DistributedLock(key = "k", onNotAcquired = NotAcquiredPolicy.SKIP)
		@Nullable Integer skipping() {
			return 1;
		}

		@DistributedLock(key = "k", onNotAcquired = NotAcquiredPolicy.SKIP)
		Optional<String> skippingOptional() {
			return Optional.of("ran");
		}

		@DistributedLock(key = "${region}:order:#{#id}", name = "orders-${region}", mode = LockMode.WRITE)
		void named(long id) {
		}

		@Mine(on = "mine")
		void composed() {
		}

		@DistributedLock("k")
		CompletableFuture<String> completable() {
			return new CompletableFuture<>();
		}

		@DistributedLock("k")
		Mono<String> mono() {
			return Mono.empty();
		}

		@Async
		@DistributedLock("k")
		CompletableFuture<String> asyncFuture() {
			return new CompletableFuture<>();
		}

		@Async
		@DistributedLock("k")
		void asyncVoid() {
		}

		void free() {
		}

	}

	static class Refused {

		@DistributedLock(key = "k", waitMs = 5, waitTime = "5s")
		void both() {
		}

		@DistributedLock(key = "k", waitMs = -2)
		void negative() {
		}

		@DistributedLock(key = "k", waitTime = "soon")
		void noDuration() {
		}

		@DistributedLock(key = "k", waitTime = "-5s")
		void backwards() {
		}

		@DistributedLock(key = "k", name = "orders.ship")
		void dotted() {
		}

		@DistributedLock(key = "k", name = "--")
		void punctuated() {
		}

		@DistributedLock("${no.such}:x")
		void unresolved() {
		}

		@DistributedLock
		void empty() {
		}

		@DistributedLock(key = "k", onNotAcquired = NotAcquiredPolicy.SKIP)
		int skipInt() {
			return 1;
		}

		@Scheduled(fixedDelay = 1)
		@DistributedLock("k")
		long skipTick() {
			return 1;
		}

		@DistributedLock("k")
		Future<String> future() {
			return new CompletableFuture<>();
		}

		@DistributedLock("k")
		Promise promise() {
			return new Promise();
		}

		@DistributedLock("k")
		ConnectableFlux<String> connectable() {
			return Flux.<String>empty().publish();
		}

		@DistributedLock("k")
		Stream<String> stream() {
			return Stream.empty();
		}

	}

	static class Promise extends CompletableFuture<String> {

	}

}
