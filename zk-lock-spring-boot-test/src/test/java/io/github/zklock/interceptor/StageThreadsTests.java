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
import java.util.concurrent.CompletableFuture;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.test.LockTesting;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The threads on which methods begin that return a stage.
 */
class StageThreadsTests {

	private static final Duration BOUND = Duration.ofSeconds(30);

	@Test
	void stageBeginsWhileAllThreadsOfTheApplicationWaitForItsLock() {
		new ApplicationContextRunner().withUserConfiguration(LockTestConfiguration.class)
			.withBean("applicationTaskExecutor", ThreadPoolTaskExecutor.class)
			.withBean(Orders.class)
			.run((context) -> {
				ThreadPoolTaskExecutor onlyThread = context.getBean(ThreadPoolTaskExecutor.class);
				Orders orders = context.getBean(Orders.class);
				LockTesting locks = new LockTesting(context.getBean(InMemoryLockProvider.class));
				LockHandle other = locks.hold("order");
				CompletableFuture<String> stage = orders.stage();
				locks.awaitWaiting("order", 1);
				CompletableFuture<String> call = onlyThread.submitCompletable(orders::call);
				locks.awaitWaiting("order", 2);
				other.release();
				assertThat(stage).succeedsWithin(BOUND);
				assertThat(call).succeedsWithin(BOUND);
			});
	}

	static class Orders {

		@DistributedLock(key = "order", waitTime = "forever")
		CompletableFuture<String> stage() {
			return CompletableFuture.completedFuture("stage");
		}

		@DistributedLock(key = "order", waitTime = "forever")
		String call() {
			return "call";
		}

	}

}
