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

package io.github.zklock.sample.console;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Refuses actions that were not sent by the page of the console: no other page is given
 * the answer that has the token. All nodes of a process have the same one, so that a page
 * may stay open while its node starts again.
 */
class ConsoleToken implements HandlerInterceptor {

	static final String HEADER = "X-XSRF-TOKEN";

	private final String token;

	ConsoleToken() {
		byte[] random = new byte[16];
		new SecureRandom().nextBytes(random);
		this.token = HexFormat.of().formatHex(random);
	}

	String text() {
		return this.token;
	}

	@Override
	public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
		if (!request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) {
			String given = request.getHeader(HEADER);
			if (given == null || !isToken(given)) {
				throw new ResponseStatusException(HttpStatus.FORBIDDEN,
						"Send the token of /console/info in the header " + HEADER);
			}
		}
		return true;
	}

	private boolean isToken(String given) {
		return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8),
				this.token.getBytes(StandardCharsets.UTF_8));
	}

}
