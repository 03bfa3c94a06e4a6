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
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.EnableDistributedLocks;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockJobs;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.ManualTaskScheduler;
import io.github.zklock.support.ProjectModules;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the code of {@code docs/shards.md}.
 */
class ShardsPageTests {

	// 2 o'clock in Berlin comes an hour later.
	private static final Instant ONE = Instant.parse("2026-10-04T23:00:00Z");

	private final ManualTaskScheduler scheduler = new ManualTaskScheduler(ONE);

	@Test
	void codeOfThePageRunsEachShardOnce() {
		try (AnnotationConfigApplicationContext context = start()) {
			this.scheduler.advance(Duration.ofHours(2));
			assertThat(context.getBean(Indexer.class).parts()).containsExactlyInAnyOrder("0 of 8", "1 of 8", "2 of 8",
					"3 of 8", "4 of 8", "5 of 8", "6 of 8", "7 of 8");
		}
	}

	@Test
	void codeOfThePageRunsShardsByHandInAPause() {
		try (AnnotationConfigApplicationContext context = start()) {
			CompletableFuture<?> begun = operate(context.getBean(LockJobs.class));
			this.scheduler.advance(Duration.ofHours(2));
			assertThat(begun).isCompleted();
			assertThat(context.getBean(Indexer.class).parts()).hasSize(10).endsWith("3 of 8");
			assertThat(context.getBean(LockJobs.class).get("reindex").runs()).hasSize(10).allMatch(LockJob.Run::byHand);
		}
	}

	@Test
	void codeOfThePageIsThatOfThisTest() throws IOException {
		String source = plain(
				Files.readString(ProjectModules.find("src/test/java/io/github/zklock/docs/ShardsPageTests.java")));
		List<MarkdownPage.Block> blocks = new MarkdownPage(ProjectModules.ROOT.resolve("docs/shards.md"),
				Files.readString(ProjectModules.ROOT.resolve("docs/shards.md")))
			.blocks("java");
		assertThat(blocks).hasSize(2)
			.allSatisfy((block) -> assertThat(plain(block.code()).lines())
				.allSatisfy((line) -> assertThat(source.lines()).contains(line)));
		assertThat(source).contains(plain(blocks.get(0).code().replaceAll("(?m)^import .*$", "")));
	}

	private static CompletableFuture<?> operate(LockJobs jobs) {
		jobs.pause("reindex", "admin");
		jobs.run("reindex");
		CompletableFuture<?> begun = jobs.run("reindex", 3);
		jobs.run("reindex", 3);
		return begun;
	}

	private static String plain(String code) {
		return code.lines().map(String::strip).filter((line) -> !line.isEmpty()).reduce("", (a, b) -> a + b + "\n");
	}

	private AnnotationConfigApplicationContext start() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.register(Locks.class, Indexer.class);
		context.registerBean("locks", LockProvider.class, InMemoryLockProvider::new);
		context.registerBean("taskScheduler", ManualTaskScheduler.class, () -> this.scheduler);
		context.refresh();
		return context;
	}

	@Configuration
	@EnableDistributedLocks
	@EnableScheduling
	static class Locks {

	}

	static class Indexer {

		private final List<String> parts = new ArrayList<>();

		@Scheduled(cron = "0 0 2 * * *", zone = "Europe/Berlin")
		@OncePerTick(shards = "8", recoverWithin = "2h")
		@DistributedLock(key = "reindex", name = "reindex")
		void reindex() {
			LockTick tick = LockTick.current();
			index(tick.shard(), tick.shards());
		}

		List<String> parts() {
			return this.parts;
		}

		private void index(int shard, int shards) {
			this.parts.add(shard + " of " + shards);
		}

	}

}
