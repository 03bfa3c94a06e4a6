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

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServletServerHttpResponse;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers a request of Spring MVC that has not got its lock. It comes after all other
 * resolvers, so that the handlers of the application win.
 */
class LockExceptionResolver implements HandlerExceptionResolver, Ordered {

	private static final Logger logger = LoggerFactory.getLogger(LockExceptionResolver.class);

	private final Supplier<List<HttpMessageConverter<?>>> converters;

	/**
	 * Create the resolver.
	 * @param converters returns what writes the answer, called with the first one
	 */
	LockExceptionResolver(Supplier<List<HttpMessageConverter<?>>> converters) {
		this.converters = converters;
	}

	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception ex) {
		LockProblem problem = LockProblem.of(ex);
		if (problem == null || response.isCommitted()) {
			return null;
		}
		logger.info("A request is answered with {}: {}", problem.status(), ex.getMessage());
		try {
			response.setHeader(HttpHeaders.RETRY_AFTER, LockProblem.RETRY_AFTER);
			if (isPage(request) || !isWritten(problem, response)) {
				response.sendError(problem.status().value(), problem.detail());
			}
			return new ModelAndView();
		}
		catch (IOException failure) {
			logger.debug("The answer was not written", failure);
			return null;
		}
	}

	// A browser gets the error page of the application.
	private static boolean isPage(HttpServletRequest request) {
		String accepted = request.getHeader(HttpHeaders.ACCEPT);
		return accepted != null && accepted.contains(MediaType.TEXT_HTML_VALUE);
	}

	@SuppressWarnings("unchecked")
	private boolean isWritten(LockProblem problem, HttpServletResponse response) throws IOException {
		for (HttpMessageConverter<?> converter : this.converters.get()) {
			if (converter.canWrite(ProblemDetail.class, MediaType.APPLICATION_PROBLEM_JSON)) {
				response.setStatus(problem.status().value());
				try (ServletServerHttpResponse output = new ServletServerHttpResponse(response)) {
					((HttpMessageConverter<ProblemDetail>) converter).write(problem.body(),
							MediaType.APPLICATION_PROBLEM_JSON, output);
				}
				return true;
			}
		}
		return false;
	}

}
