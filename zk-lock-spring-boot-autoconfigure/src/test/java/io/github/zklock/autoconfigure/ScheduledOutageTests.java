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
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.UnavailablePolicy;
import io.github.zklock.core.spi.LockListener;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of scheduled methods while ZooKeeper is down, and what the log says.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class ScheduledOutageTests {

	private static final Duration WAIT = Duration.ofSeconds(60);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class))
		.withUserConfiguration(Scheduling.class)
		.withBean(Outages.class)
		.withPropertyValues("zk-lock.connect-string=" + server.connectString(), "zk-lock.session-timeout=60s",
				"zk-lock.fail-fast=true", "zk-lock.try-timeout=5s");

	@Test
	void scheduledMethodIsSkippedWithOneLineForEachOutage(CapturedOutput output) {
		this.contextRunner.withBean(Job.class).run((context) -> {
			Job job = context.getBean(Job.class);
			Outages outages = context.getBean(Outages.class);
			for (int outage = 1; outage <= 2; outage++) {
				await(() -> job.runs() > 0);
				outages.refused.clear();
				server.stop();
				await(() -> outages.refused.size() >= 5);
				assertThat(skips(output)).hasSize(outage)
					.last()
					.asString()
					.contains("WARN", Job.class.getName() + ".run() is skipped: Lock 'job' (EXCLUSIVE) not available");
				job.reset();
				server.start();
			}
			await(() -> job.runs() > 0);
			assertThat(skips(output)).hasSize(2);
		});
		assertThat(output).doesNotContain("Unexpected error occurred in scheduled task")
			.doesNotContain("at " + LockUnavailableException.class.getPackageName());
	}

	@Test
	void scheduledMethodThatIsToThrowDoesSo(CapturedOutput output) {
		this.contextRunner.withBean(ThrowingJob.class).run((context) -> {
			Outages outages = context.getBean(Outages.class);
			server.stop();
			await(() -> !outages.refused.isEmpty());
			await(() -> output.getAll().contains("Unexpected error occurred in scheduled task"));
			server.start();
		});
		assertThat(skips(output)).isEmpty();
	}

	private static void await(Callable<Boolean> condition) {
		Awaitility.await().atMost(WAIT).until(condition);
	}

	private static List<String> skips(CapturedOutput output) {
		return output.getOut().lines().filter((line) -> line.contains(" is skipped: ")).toList();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

		// A bean, so that no run outlives its context and logs into the next test.
		@Bean
		ThreadPoolTaskScheduler taskScheduler() {
			ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
			scheduler.setAwaitTerminationSeconds((int) WAIT.toSeconds());
			return scheduler;
		}

	}

	static class Outages implements LockListener {

		private final Queue<LockException> refused = new ConcurrentLinkedQueue<>();

		@Override
		public void notAcquired(LockRequest request, LockException exception) {
			if (exception instanceof LockUnavailableException) {
				this.refused.add(exception);
			}
		}

	}

	static class Job {

		private final AtomicInteger runs = new AtomicInteger();

		int runs() {
			return this.runs.get();
		}

		void reset() {
			this.runs.set(0);
		}

		@Scheduled(fixedDelay = 20)
		@DistributedLock("job")
		void run() {
			this.runs.incrementAndGet();
		}

	}

	static class ThrowingJob {

		@Scheduled(fixedDelay = 20)
		@DistributedLock(key = "throwing", onUnavailable = UnavailablePolicy.THROW)
		void run() {
		}

	}

}
