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

package io.github.zklock.docs;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockLostBeforeCommitException;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * The exception handler of {@code docs/getting-started.md}.
 */
@RestControllerAdvice
class LockErrors {

	private static final Logger logger = LoggerFactory.getLogger(LockErrors.class);

	@ExceptionHandler
	ResponseEntity<ProblemDetail> taken(LockNotAcquiredException ex) {
		logger.info("A request was refused: {}", ex.getMessage());
		return later(HttpStatus.CONFLICT, "Another request works on this. Try again in a moment.");
	}

	@ExceptionHandler
	ResponseEntity<ProblemDetail> unavailable(LockUnavailableException ex) {
		logger.warn("A request was refused: {}", ex.getMessage());
		return later(HttpStatus.SERVICE_UNAVAILABLE, "This does not work at the moment. Try again later.");
	}

	@ExceptionHandler(LockLostBeforeCommitException.class)
	ResponseEntity<ProblemDetail> nothingDone() {
		// zk-lock has logged it.
		return later(HttpStatus.SERVICE_UNAVAILABLE, "Nothing was done. It is safe to try it again.");
	}

	@ExceptionHandler
	ProblemDetail failed(LockException ex) {
		logger.error("A request failed because of its lock", ex);
		return ProblemDetail.forStatusAndDetail(HttpStatus.INTERNAL_SERVER_ERROR,
				"The request failed, perhaps after a part of it was done.");
	}

	private static ResponseEntity<ProblemDetail> later(HttpStatus status, String detail) {
		return ResponseEntity.status(status)
			.header(HttpHeaders.RETRY_AFTER, "1")
			.body(ProblemDetail.forStatusAndDetail(status, detail));
	}

}
