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

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EngineThreads}.
 */
class EngineThreadsTests {

	private final ThreadFactory callbackThreads = EngineThreads.daemons("callback-");

	private final AtomicInteger started = new AtomicInteger();

	private final EngineThreads threads = new EngineThreads(EngineThreads.daemons("timer-"), (task) -> {
		this.started.incrementAndGet();
		return this.callbackThreads.newThread(task);
	}, EngineThreads.CALLBACK_THREADS);

	@Test
	void codeOfUsersNeverRunsOnTheThreadThatCallsItBackAlsoAfterTheEnd() throws Exception {
		assertThat(threadOfACallback()).startsWith("callback-");
		this.threads.stop();
		assertThat(threadOfACallback()).startsWith("callback-");
	}

	private String threadOfACallback() throws Exception {
		CompletableFuture<String> name = new CompletableFuture<>();
		this.threads.callBack(() -> name.complete(Thread.currentThread().getName()));
		return name.get(30, TimeUnit.SECONDS);
	}

	@Test
	void noStepOfTheEngineIsTakenAfterTheEnd() {
		this.threads.stop();
		this.threads.handOver(this.started::incrementAndGet);
		assertThat(this.started).hasValue(0);
	}

}
