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

package io.github.zklock.autoconfigure.web;

import java.util.List;
import java.util.function.BooleanSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.codec.HttpMessageWriter;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.result.view.ViewResolver;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;

/**
 * Answers a request of Spring WebFlux that has not got its lock. It comes just before the
 * handler of Spring Boot, and does nothing if the application has its own.
 */
class LockWebExceptionHandler implements WebExceptionHandler, Ordered {

	private static final Logger logger = LoggerFactory.getLogger(LockWebExceptionHandler.class);

	// The handler of Spring Boot has -1.
	private static final int ORDER = -2;

	private final ServerCodecConfigurer codecs;

	private final BooleanSupplier replaced;

	/**
	 * Create the handler.
	 * @param codecs what writes the answer
	 * @param replaced whether the application has a handler of its own
	 */
	LockWebExceptionHandler(ServerCodecConfigurer codecs, BooleanSupplier replaced) {
		this.codecs = codecs;
		this.replaced = replaced;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> handle(ServerWebExchange exchange, Throwable ex) {
		LockProblem problem = LockProblem.of(ex);
		if (problem == null || exchange.getResponse().isCommitted() || this.replaced.getAsBoolean()) {
			return Mono.error(ex);
		}
		logger.info("A request is answered with {}: {}", problem.status(), ex.getMessage());
		if (isPage(exchange)) {
			return Mono.error(new ResponseStatusException(problem.status(), problem.detail(), ex));
		}
		return ServerResponse.status(problem.status())
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.header(HttpHeaders.RETRY_AFTER, LockProblem.RETRY_AFTER)
			.bodyValue(problem.body())
			.flatMap((response) -> response.writeTo(exchange, new Writers(this.codecs.getWriters())));
	}

	// A browser gets the error page of the application.
	private static boolean isPage(ServerWebExchange exchange) {
		String accepted = exchange.getRequest().getHeaders().getFirst(HttpHeaders.ACCEPT);
		return accepted != null && accepted.contains(MediaType.TEXT_HTML_VALUE);
	}

	private record Writers(List<HttpMessageWriter<?>> messageWriters) implements ServerResponse.Context {

		@Override
		public List<ViewResolver> viewResolvers() {
			return List.of();
		}

	}

}
