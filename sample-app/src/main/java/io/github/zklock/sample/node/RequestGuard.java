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

package io.github.zklock.sample.node;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Keeps other sites away from the node. Their names may lead to this machine, and their
 * pages may send requests from the browser of its user.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class RequestGuard extends OncePerRequestFilter {

	private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");

	private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

	private final Set<String> hosts;

	RequestGuard(@Value("${sample.hosts}") List<String> hosts) {
		this.hosts = Set.copyOf(hosts);
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		if (!this.hosts.contains(host(request))) {
			refuse(response, "The header Host names no host of sample.hosts");
		}
		else if (!READS.contains(request.getMethod()) && isFromAnotherSite(request)) {
			refuse(response, "The page of another site must not write");
		}
		else {
			chain.doFilter(request, response);
		}
	}

	private static @Nullable String host(HttpServletRequest request) {
		String host = request.getServerName();
		return (host != null) ? host.toLowerCase(Locale.ROOT) : null;
	}

	// Only browsers send these headers, and no page can change them.
	private static boolean isFromAnotherSite(HttpServletRequest request) {
		String site = request.getHeader("Sec-Fetch-Site");
		String origin = request.getHeader(HttpHeaders.ORIGIN);
		return (site != null && !OWN_SITES.contains(site)) || (origin != null && !isOwn(origin, request));
	}

	private static boolean isOwn(String origin, HttpServletRequest request) {
		try {
			return request.getHeader(HttpHeaders.HOST) != null
					&& request.getHeader(HttpHeaders.HOST).equals(URI.create(origin).getRawAuthority());
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	private static void refuse(HttpServletResponse response, String detail) throws IOException {
		HttpStatus status = HttpStatus.FORBIDDEN;
		response.setStatus(status.value());
		response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
		String problem = """
				{"type":"about:blank","title":"%s","status":%d,"detail":"%s"}""".formatted(status.getReasonPhrase(),
				status.value(), detail);
		response.getOutputStream().write(problem.getBytes(StandardCharsets.UTF_8));
	}

}
