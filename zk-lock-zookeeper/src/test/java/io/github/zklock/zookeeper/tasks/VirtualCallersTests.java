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

package io.github.zklock.zookeeper.tasks;

import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualCallersTests {

	private final EngineThreads threads = new EngineThreads((purpose) -> EngineThreads.daemons(purpose + "-"), 1);

	@AfterEach
	void stop() {
		this.threads.stop();
	}

	@Test
	void platformThreadTakesItsStepItself() {
		assertThat(this.threads.onPlatformThread(Thread::currentThread)).isSameAs(Thread.currentThread());
	}

	@Test
	void stepOfAVirtualThreadIsTakenByAStepThread() throws Exception {
		assertThat(onVirtualThread(() -> this.threads.onPlatformThread(() -> Thread.currentThread().getName())))
			.isEqualTo("step-1");
	}

	@Test
	void failureOfTheStepComesOut() {
		IllegalStateException failure = new IllegalStateException("for the test");
		assertThatThrownBy(() -> onVirtualThread(() -> this.threads.onPlatformThread(() -> {
			throw failure;
		}))).hasRootCause(failure);
	}

	@Test
	void interruptedThreadWaitsForItsStepAndKeepsItsFlag() throws Exception {
		assertThat(onVirtualThread(() -> {
			Thread caller = Thread.currentThread();
			boolean done = this.threads.onPlatformThread(() -> {
				caller.interrupt();
				return true;
			});
			return done && Thread.interrupted();
		})).isTrue();
	}

	@Test
	void stepIsTakenEvenAfterTheEndOfTheEngine() throws Exception {
		this.threads.stop();
		assertThat(onVirtualThread(() -> this.threads.onPlatformThread(() -> "taken"))).isEqualTo("taken");
	}

	@Test
	void stepIsTakenEvenIfNoThreadCanBeStarted() throws Exception {
		EngineThreads without = new EngineThreads((purpose) -> purpose.equals("step") ? (task) -> {
			throw new OutOfMemoryError("for the test");
		} : EngineThreads.daemons(purpose + "-"), 1);
		try {
			assertThat(onVirtualThread(() -> without.onPlatformThread(() -> "taken"))).isEqualTo("taken");
		}
		finally {
			without.stop();
		}
	}

	private static <T> T onVirtualThread(Supplier<T> code) throws Exception {
		CompletableFuture<T> result = new CompletableFuture<>();
		Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
		start.invoke(null, (Runnable) () -> {
			try {
				result.complete(code.get());
			}
			catch (Throwable ex) {
				result.completeExceptionally(ex);
			}
		});
		return result.get(30, TimeUnit.SECONDS);
	}

}
