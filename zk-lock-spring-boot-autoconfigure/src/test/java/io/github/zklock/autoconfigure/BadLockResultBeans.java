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

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.annotation.DistributedLock;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.ResponseEntity;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * Beans each of which returns something whose work goes on when the lock is released.
 */
final class BadLockResultBeans {

	private BadLockResultBeans() {
	}

	static class Deferred {

		@DistributedLock("k")
		DeferredResult<String> run() {
			throw new IllegalStateException("Not called");
		}

	}

	static class AsyncTask {

		@DistributedLock("k")
		WebAsyncTask<String> run() {
			throw new IllegalStateException("Not called");
		}

	}

	static class Emitter {

		@DistributedLock("k")
		ResponseBodyEmitter run() {
			throw new IllegalStateException("Not called");
		}

	}

	static class Events {

		@DistributedLock("k")
		SseEmitter run() {
			throw new IllegalStateException("Not called");
		}

	}

	static class Streaming {

		@DistributedLock("k")
		StreamingResponseBody run() {
			throw new IllegalStateException("Not called");
		}

	}

	static class StreamingEntity {

		@DistributedLock("k")
		ResponseEntity<StreamingResponseBody> run() {
			throw new IllegalStateException("Not called");
		}

	}

	static class FluxEntity {

		@DistributedLock("k")
		ResponseEntity<Flux<String>> run() {
			throw new IllegalStateException("Not called");
		}

	}

	static class LaterFluxEntity {

		@DistributedLock("k")
		Mono<ResponseEntity<Flux<String>>> run() {
			throw new IllegalStateException("Not called");
		}

	}

	static class LaterStreaming {

		@DistributedLock("k")
		CompletableFuture<StreamingResponseBody> run() {
			throw new IllegalStateException("Not called");
		}

	}

	static class LaterFuture {

		@DistributedLock("k")
		Mono<CompletableFuture<String>> run() {
			throw new IllegalStateException("Not called");
		}

	}

	static class FinishedLater {

		@DistributedLock("k")
		Mono<ResponseEntity<String>> run() {
			throw new IllegalStateException("Not called");
		}

	}

	static class Windows {

		@DistributedLock("k")
		Flux<Flux<String>> run() {
			throw new IllegalStateException("Not called");
		}

	}

	static class Call {

		@DistributedLock("k")
		Callable<String> run() {
			throw new IllegalStateException("Not called");
		}

	}

	static class FinishedEntity {

		@DistributedLock("k")
		ResponseEntity<String> run() {
			throw new IllegalStateException("Not called");
		}

	}

}
