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
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.autoconfigure.ShardBeans.Sharded;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which jobs can have shards, and how many of them a node runs at once.
 */
class ShardSettingsTests {

	private final TickNode node = new TickNode(new InMemoryLockProvider());

	@ParameterizedTest
	@CsvSource({ "periodic, Use a cron expression instead of fixedRate", "both, Use a cron expression instead of",
			"off, its runs are no ticks", "conditional, shards and a condition", "two, shards and several locks",
			"async, its work goes on after the method has returned" })
	void methodThatCannotHaveShardsStopsTheStart(String name, String problem) {
		Class<?> type = switch (name) {
			case "periodic" -> Periodic.class;
			case "both" -> Both.class;
			case "off" -> Off.class;
			case "conditional" -> Conditional.class;
			case "two" -> TwoLocks.class;
			default -> Later.class;
		};
		this.node.application(type)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockUsageException.class)
				.hasMessageContaining(problem));
	}

	@ParameterizedTest
	@CsvSource({ "0", "101", "many", "-1", "2.5" })
	void numberThatIsNoneStopsTheStart(String shards) {
		this.node.application(Sharded.class)
			.withPropertyValues("app.shards=" + shards)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockUsageException.class)
				.hasMessageContaining("has shards = \"${app.shards:8}\", which is not a number between 1 and 100"));
	}

	@Test
	void numberOfShardsPerNodeThatIsNoneStopsTheStart() {
		this.node.application(Sharded.class)
			.withPropertyValues("zk-lock.locks.reindex.shards-per-node=0")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockUsageException.class)
				.hasMessageContaining("has shards-per-node = 0"));
	}

	@Test
	void unguardedJobRunsAllShardsOnEachNode() {
		this.node.application(Sharded.class)
			.withPropertyValues("zk-lock.locks.reindex.unguarded=true")
			.run((context) -> {
				this.node.advance(Duration.ofSeconds(10));
				assertThat(context.getBean(Sharded.class).shards()).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
				assertThat(this.node.locks.events()).isEmpty();
			});
	}

	@Test
	void oneShardIsAJobWithoutShards() {
		this.node.application(Sharded.class).withPropertyValues("app.shards=1").run((context) -> {
			this.node.advance(Duration.ofSeconds(10));
			assertThat(context.getBean(Sharded.class).shards()).containsExactly(0);
			assertThat(this.node.locks.events()).containsExactly("acquire reindex", "release reindex");
		});
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void nodeRunsAsManyShardsAtOnceAsThePropertySays(CapturedOutput output) {
		ThreadPoolTaskScheduler pool = new ThreadPoolTaskScheduler();
		pool.setPoolSize(4);
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class,
					ZkLockSchedulingAutoConfiguration.class))
			.withBean("locks", LockProvider.class, InMemoryLockProvider::new)
			.withBean("taskScheduler", TaskScheduler.class, () -> pool)
			.withUserConfiguration(TickNode.Scheduling.class, EachSecond.class)
			.withPropertyValues("zk-lock.locks.each-second-run.shards-per-node=3")
			.run((context) -> {
				EachSecond job = context.getBean(EachSecond.class);
				CountDownLatch three = new CountDownLatch(3);
				job.during((shard) -> {
					three.countDown();
					await(three);
				});
				Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> three.getCount() == 0);
				job.during((shard) -> {
				});
				Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> job.shards().size() >= 12);
				Instant first = Instant.parse(job.runs().get(0).split(" ")[1]);
				assertThat(job.runs()).filteredOn((run) -> run.contains(first.toString()))
					.extracting((run) -> Integer.valueOf(run.split(" ")[0]))
					.containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
			});
		assertThat(output).doesNotContain("has no effect");
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await(60, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	static class EachSecond extends ShardBeans.Shards {

		@Scheduled(cron = "* * * * * *", zone = "UTC")
		@OncePerTick(shards = "6")
		@DistributedLock("reindex")
		void run() {
			work();
		}

	}

	static class Periodic {

		@Scheduled(fixedRate = 10_000)
		@OncePerTick(shards = "8")
		@DistributedLock("job")
		void run() {
		}

	}

	static class Both {

		@Scheduled(fixedRate = 10_000)
		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@OncePerTick(shards = "8")
		@DistributedLock("job")
		void run() {
		}

	}

	static class Off {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@OncePerTick(enabled = false, shards = "8")
		@DistributedLock("job")
		void run() {
		}

	}

	static class Conditional {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@OncePerTick(shards = "8")
		@DistributedLock(key = "job", condition = "true")
		void run() {
		}

	}

	static class TwoLocks {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@OncePerTick(shards = "8")
		@DistributedLock("job")
		@DistributedLock("other")
		void run() {
		}

	}

	static class Later {

		@Async
		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@OncePerTick(shards = "8")
		@DistributedLock("job")
		void run() {
		}

	}

}
