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

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockKeyException;
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
 * What went wrong, as a problem detail (RFC 9457). What Spring MVC refuses by itself
 * becomes one by {@code spring.mvc.problemdetails.enabled}.
 */
@RestControllerAdvice
class ApiErrors {

	private static final Logger logger = LoggerFactory.getLogger(ApiErrors.class);

	private static final String LOG = "The log of the node says more";

	@ExceptionHandler
	ResponseEntity<ProblemDetail> notAcquired(LockNotAcquiredException ex) {
		return later(
				problem(HttpStatus.CONFLICT, "Locked by another request", "Another request uses this; try again", ex));
	}

	@ExceptionHandler
	ResponseEntity<ProblemDetail> unavailable(LockUnavailableException ex) {
		return later(problem(HttpStatus.SERVICE_UNAVAILABLE, "No lock service",
				"The lock service does not answer; try again", ex));
	}

	@ExceptionHandler
	ResponseEntity<ProblemDetail> nothingDone(LockLostBeforeCommitException ex) {
		return later(problem(HttpStatus.SERVICE_UNAVAILABLE, "The lock was lost", "Nothing was done; try again", ex));
	}

	@ExceptionHandler
	ProblemDetail badKey(LockKeyException ex) {
		return problem(HttpStatus.BAD_REQUEST, "Not a key", "This cannot be locked; use another name", ex);
	}

	@ExceptionHandler
	ProblemDetail refused(Transfers.RefusedTransferException ex) {
		return problem(HttpStatus.UNPROCESSABLE_ENTITY, "Transfer refused", String.valueOf(ex.getMessage()), ex);
	}

	@ExceptionHandler
	ProblemDetail lockFailed(LockException ex) {
		return problem(HttpStatus.INTERNAL_SERVER_ERROR, "The lock failed", LOG, ex);
	}

	@ExceptionHandler
	ProblemDetail unexpected(RuntimeException ex) {
		logger.error("A request failed", ex);
		return ProblemDetail.forStatusAndDetail(HttpStatus.INTERNAL_SERVER_ERROR, LOG);
	}

	// The message of a lock names the host and process of its holder, which are not for
	// callers.
	private static ProblemDetail problem(HttpStatus status, String title, String detail, RuntimeException ex) {
		logger.debug("A request was refused", ex);
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
		problem.setTitle(title);
		if (ex instanceof LockException lock && lock.getKey() != null) {
			problem.setProperty("key", lock.getKey());
		}
		return problem;
	}

	private static ResponseEntity<ProblemDetail> later(ProblemDetail problem) {
		return ResponseEntity.status(problem.getStatus()).header(HttpHeaders.RETRY_AFTER, "1").body(problem);
	}

}
