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

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockKeyException;
import io.github.zklock.core.LockLostBeforeCommitException;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.test.InMemoryLockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The exception handler of {@code docs/getting-started.md}: what clients see of each
 * exception.
 */
@ExtendWith(OutputCaptureExtension.class)
class LockErrorsTests {

	private static final LockRequest REQUEST = LockRequest.of("account:7");

	private static final LockHolder HOLDER = LockHolder.of("bank")
		.instance("bank:8181")
		.host("host-3")
		.pid(4711)
		.thread("main")
		.name("accounts")
		.queuedFor(Duration.ofSeconds(2))
		.build();

	@ParameterizedTest
	@MethodSource("clientsSeeAStatusAndNothingOfTheNodes")
	void logHasTheMessage(LockException exception, int status, CapturedOutput output) {
		handle(exception);
		// zk-lock itself logs a rollback.
		if (!(exception instanceof LockLostBeforeCommitException)) {
			assertThat(output).contains(exception.getMessage());
		}
	}

	@ParameterizedTest
	@MethodSource
	void clientsSeeAStatusAndNothingOfTheNodes(LockException exception, int status) {
		ProblemDetail problem = handle(exception);
		assertThat(problem.getStatus()).isEqualTo(status);
		assertThat(problem.toString()).doesNotContain("host-3", "4711", "bank", "account:7", "/locks");
	}

	static Stream<Arguments> clientsSeeAStatusAndNothingOfTheNodes() {
		return Stream.of(Arguments.of(new LockNotAcquiredException(REQUEST, Duration.ofSeconds(2), HOLDER), 409),
				Arguments.of(new LockUnavailableException(REQUEST, Duration.ZERO, "host-3 is down", null), 503),
				Arguments.of(new LockLostBeforeCommitException(new InMemoryLockProvider().acquire(REQUEST),
						"Lock 'account:7' was lost before the commit", null), 503),
				Arguments.of(new LockAccessException(REQUEST, Duration.ZERO, "NOAUTH at /locks", null), 500),
				Arguments.of(new LockKeyException("Lock key 'account:7' is blank", "account:7"), 500));
	}

	@Test
	void pageHasTheHandlerAsItIsTested() throws IOException {
		String source = plain(Files.readString(Path.of("src/test/java/io/github/zklock/docs/LockErrors.java")));
		String page = plain(Files.readString(Path.of("../docs/getting-started.md")));
		assertThat(page).contains(source.substring(source.indexOf("@RestControllerAdvice")));
	}

	private static ProblemDetail handle(LockException exception) {
		Method method = new ExceptionHandlerMethodResolver(LockErrors.class).resolveMethod(exception);
		assertThat(method).isNotNull();
		ReflectionUtils.makeAccessible(method);
		Object answer = ReflectionUtils.invokeMethod(method, new LockErrors(),
				(method.getParameterCount() == 0) ? new Object[0] : new Object[] { exception });
		return (answer instanceof ResponseEntity<?> entity) ? (ProblemDetail) entity.getBody() : (ProblemDetail) answer;
	}

	private static String plain(String code) {
		return code.lines().map(String::strip).filter((line) -> !line.isEmpty()).reduce("", (a, b) -> a + b + "\n");
	}

}
