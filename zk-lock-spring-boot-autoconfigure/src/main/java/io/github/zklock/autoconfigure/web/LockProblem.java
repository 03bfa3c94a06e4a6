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

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockLostBeforeCommitException;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockUnavailableException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ResponseStatus;

/**
 * How a request is answered that has not got its lock. The text is for clients: it names
 * no key, no holder and no host.
 *
 * @param status the status
 * @param detail the text
 */
record LockProblem(HttpStatus status, String detail) {

	// In seconds.
	static final String RETRY_AFTER = "1";

	/**
	 * Return the problem of an exception.
	 * @return the problem, or {@code null} if the exception is no problem of a lock, or
	 * has a status of its own
	 */
	static @Nullable LockProblem of(Throwable ex) {
		if (!(ex instanceof LockException) || hasStatus(ex)) {
			return null;
		}
		if (ex instanceof LockNotAcquiredException) {
			return new LockProblem(HttpStatus.CONFLICT, "Another request works on this. Try again in a moment.");
		}
		if (ex instanceof LockUnavailableException) {
			return new LockProblem(HttpStatus.SERVICE_UNAVAILABLE,
					"This does not work at the moment. Try again later.");
		}
		if (ex instanceof LockLostBeforeCommitException) {
			return new LockProblem(HttpStatus.SERVICE_UNAVAILABLE, "Nothing was done. It is safe to try it again.");
		}
		return null;
	}

	private static boolean hasStatus(Throwable ex) {
		return MergedAnnotations.from(ex.getClass(), SearchStrategy.TYPE_HIERARCHY).isPresent(ResponseStatus.class);
	}

	ProblemDetail body() {
		return ProblemDetail.forStatusAndDetail(this.status, this.detail);
	}

}
