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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EngineThreads}.
 */
class EngineThreadsTests {

	private final AtomicInteger started = new AtomicInteger();

	private final EngineThreads threads = new EngineThreads(this::factory, EngineThreads.CALLBACK_THREADS);

	private ThreadFactory factory(String purpose) {
		ThreadFactory daemons = EngineThreads.daemons(purpose + "-");
		return (task) -> {
			this.started.incrementAndGet();
			return daemons.newThread(task);
		};
	}

	@AfterEach
	void stop() {
		this.threads.stop();
	}

	@Test
	void nameOfEachThreadSaysWhatRunsOnIt() throws Exception {
		assertThat(threadOf((task) -> this.threads.schedule(task, 0))).isEqualTo("timer-1");
		assertThat(threadOf(this.threads::callBack)).isEqualTo("callback-1");
		assertThat(threadOf(this.threads::onStepThread)).isEqualTo("step-1");
		assertThat(threadOf(this.threads::notice)).isEqualTo("notice-1");
	}

	@Test
	void codeOfUsersNeverRunsOnTheThreadThatCallsItBackAlsoAfterTheEnd() throws Exception {
		assertThat(threadOf(this.threads::callBack)).startsWith("callback-");
		this.threads.stop();
		assertThat(threadOf(this.threads::callBack)).startsWith("callback-");
	}

	private static String threadOf(Consumer<Runnable> executor) throws Exception {
		CompletableFuture<String> name = new CompletableFuture<>();
		executor.accept(() -> name.complete(Thread.currentThread().getName()));
		return name.get(30, TimeUnit.SECONDS);
	}

	@Test
	void noStepOfTheEngineIsTakenAfterTheEnd() {
		this.threads.stop();
		int before = this.started.get();
		this.threads.onStepThread(this.started::incrementAndGet);
		assertThat(this.started).hasValue(before);
	}

}
