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

package io.github.zklock.interceptor;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.source.AnnotationLockOperationSource;
import io.github.zklock.interceptor.source.TestLockSettings;
import io.github.zklock.support.Refusal;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Methods whose key stays taken for a time: they return without waiting for it.
 */
class AtLeastMethodTests {

	private static final Duration SHORT = Duration.ofMillis(500);

	private final GuardedProxy proxy = new GuardedProxy();

	private final Jobs jobs = this.proxy.of(new Jobs());

	@ParameterizedTest
	@CsvSource({ "iso, PT30S", "text, PT30S", "millis, PT0.5S", "placeholder, PT45S", "none, PT0S", "reader, PT30S",
			"onePermit, PT30S" })
	void durationFollowsTheAnnotation(String method, Duration atLeast) throws Exception {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of("app.least", "45s", "app.permits", "1")));
		LockOperation operation = new AnnotationLockOperationSource(TestLockSettings::new,
				() -> environment::resolveRequiredPlaceholders)
			.getLockOperation(Texts.class.getDeclaredMethod(method), Texts.class);
		assertThat(operation).isNotNull();
		assertThat(operation.locks().get(0).request("k", 1).lockAtLeastFor()).isEqualTo(atLeast);
	}

	@ParameterizedTest
	@MethodSource
	void callReturnsAtOnceAndTheKeyStaysTaken(String name, Consumer<Jobs> call) {
		assertThatKeyStaysTakenAfter(() -> call.accept(this.jobs));
	}

	@Test
	void keyStaysTakenAfterACallThatIsCancelledWhileItRuns() {
		assertThatKeyStaysTakenAfter(() -> {
			Disposable call = this.jobs.never().subscribe();
			Awaitility.await().until(() -> this.proxy.events().list().contains("call"));
			call.dispose();
			Awaitility.await().until(() -> this.proxy.events().list().contains("unlock"));
		});
	}

	private void assertThatKeyStaysTakenAfter(Runnable call) {
		long start = System.nanoTime();
		call.run();
		assertThat(this.proxy.events().list()).containsSubsequence("lock long", "call", "unlock");
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(1));
		assertThat(Refusal.of(() -> this.proxy.provider().acquire(once("long"))))
			.hasMessageContaining("keeps it at least 10m");
	}

	static Stream<Arguments> callReturnsAtOnceAndTheKeyStaysTaken() {
		return Stream.of(Arguments.of("blocking", (Consumer<Jobs>) Jobs::blocking),
				Arguments.of("failing",
						(Consumer<Jobs>) (jobs) -> assertThatIllegalStateException().isThrownBy(jobs::failing)),
				Arguments.of("stage", (Consumer<Jobs>) (jobs) -> jobs.stage().join()),
				Arguments.of("mono", (Consumer<Jobs>) (jobs) -> jobs.mono().block()));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callThatWasCancelledBeforeItRanKeepsNothing(boolean reactive) {
		LockHandle holder = this.proxy.holdByAnother("long");
		if (reactive) {
			this.jobs.mono().subscribe().dispose();
		}
		else {
			this.jobs.stage().cancel(true);
		}
		holder.release();
		assertThat(this.proxy.provider().keysInUse()).isZero();
	}

	@Test
	void nestedCallDoesNotWaitForTheTimeOfTheOuterOne() {
		long start = System.nanoTime();
		this.jobs.outer(() -> this.jobs.outer(() -> {
		}));
		assertThat(this.proxy.events().list()).containsExactly("lock short", "call", "lock short", "call", "unlock",
				"unlock");
		this.jobs.outer(() -> {
		});
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(SHORT);
	}

	private static LockRequest once(String key) {
		return LockRequest.of(key).withOwner("another").withWait(Duration.ZERO);
	}

	static class Texts {

		@DistributedLock(key = "k", lockAtLeastFor = "PT30S")
		void iso() {
		}

		@DistributedLock(key = "k", lockAtLeastFor = " 30s ")
		void text() {
		}

		@DistributedLock(key = "k", lockAtLeastFor = "500")
		void millis() {
		}

		@DistributedLock(key = "k", lockAtLeastFor = "${app.least}")
		void placeholder() {
		}

		@DistributedLock(key = "k", lockAtLeastFor = "${app.no-least:}", permits = "3")
		void none() {
		}

		@DistributedLock(key = "k", lockAtLeastFor = "30s", mode = LockMode.READ)
		void reader() {
		}

		@DistributedLock(key = "k", lockAtLeastFor = "30s", permits = "${app.permits}")
		void onePermit() {
		}

	}

	static class Jobs {

		@DistributedLock(key = "long", lockAtLeastFor = "10m")
		void blocking() {
		}

		@DistributedLock(key = "long", lockAtLeastFor = "10m")
		void failing() {
			throw new IllegalStateException("body");
		}

		@DistributedLock(key = "long", lockAtLeastFor = "10m")
		CompletableFuture<String> stage() {
			return CompletableFuture.completedFuture("done");
		}

		@DistributedLock(key = "long", lockAtLeastFor = "10m")
		Mono<String> mono() {
			return Mono.just("done");
		}

		@DistributedLock(key = "long", lockAtLeastFor = "10m")
		Mono<String> never() {
			return Mono.never();
		}

		@DistributedLock(key = "short", lockAtLeastFor = "500ms")
		void outer(Runnable body) {
			body.run();
		}

	}

}
