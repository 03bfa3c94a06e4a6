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

package io.github.zklock.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.annotation.Async;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code @Async} methods of an application that has no {@code @EnableAsync}, so that
 * Spring calls them like any other method.
 */
class AsyncWithoutSupportTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class))
		.withBean(InMemoryLockProvider.class)
		.withBean(Reports.class);

	@Test
	void callerGetsTheFutureBeforeTheWorkIsDone() {
		this.contextRunner.run((context) -> {
			CompletableFuture<String> work = new CompletableFuture<>();
			CompletableFuture<String> result = CompletableFuture
				.supplyAsync(() -> context.getBean(Reports.class).write(work))
				.orTimeout(30, TimeUnit.SECONDS)
				.join();
			InMemoryLockProvider provider = context.getBean(InMemoryLockProvider.class);
			assertThat(result).isNotDone();
			assertThat(provider.keysInUse()).isOne();
			work.complete("written");
			assertThat(result).succeedsWithin(Duration.ofSeconds(30)).isEqualTo("written");
		});
	}

	static class Reports {

		@Async
		@DistributedLock("reports")
		CompletableFuture<String> write(CompletableFuture<String> work) {
			return work;
		}

	}

}
