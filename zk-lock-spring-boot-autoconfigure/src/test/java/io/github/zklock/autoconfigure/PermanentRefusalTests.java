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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.NotAcquiredPolicy;
import io.github.zklock.core.UnavailablePolicy;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.health.LockHealth;
import io.github.zklock.support.Secrets;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A refusal that no retry can change: it is thrown in every case, logged, and shown by
 * the health, until a lock is acquired again.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class PermanentRefusalTests {

	private static final Duration WAIT = Duration.ofSeconds(60);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final CuratorFramework administrator = CuratorFrameworkFactory.builder()
		.connectString(server.connectString())
		.retryPolicy(new RetryOneTime(100))
		.authorization("digest", ("admin:" + Secrets.password()).getBytes(StandardCharsets.UTF_8))
		.build();

	private final String root = "/" + UUID.randomUUID();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class))
		.withPropertyValues("zk-lock.connect-string=" + server.connectString(), "zk-lock.root=" + this.root,
				"zk-lock.try-timeout=10s", "zk-lock.connection-timeout=60s");

	@BeforeEach
	void createRootOfTheAdministrator() throws Exception {
		this.administrator.start();
		this.administrator.create().withACL(Ids.CREATOR_ALL_ACL).forPath(this.root);
	}

	@Test
	void scheduledMethodThrowsAndTheLogAndTheHealthSayWhyUntilALockIsAcquired(CapturedOutput output) {
		this.contextRunner.withUserConfiguration(Scheduling.class).withBean(Job.class).run((context) -> {
			await(() -> lines(output, "Unexpected error occurred in scheduled task").size() >= 3);
			assertThat(lines(output, " is skipped: ")).isEmpty();
			assertThat(lines(output, "ZooKeeper refuses this client")).singleElement()
				.asString()
				.contains("ERROR", "'job-run'", "NOAUTH at " + this.root + "/job", "check the permissions CREATE");
			assertThat(health(context).status()).isEqualTo("DOWN");
			assertThat(health(context).details().get("problem")).asString().contains("NOAUTH at " + this.root + "/job");
			this.administrator.setACL().withACL(List.of(new ACL(Perms.ALL, Ids.ANYONE_ID_UNSAFE))).forPath(this.root);
			await(() -> context.getBean(Job.class).runs() > 0);
			await(() -> health(context).status().equals("UP"));
			assertThat(health(context).details()).doesNotContainKey("problem");
		});
	}

	@Test
	void noSettingOfAMethodHidesIt() {
		this.contextRunner.withBean(Guarded.class).run((context) -> {
			Guarded guarded = context.getBean(Guarded.class);
			assertThatExceptionOfType(LockAccessException.class).isThrownBy(guarded::skipped)
				.withMessageStartingWith("Lock 'skipped' (EXCLUSIVE) refused after ");
			assertThatExceptionOfType(LockAccessException.class).isThrownBy(guarded::withFallback);
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> guarded.future().get())
				.withCauseInstanceOf(LockAccessException.class);
			assertThatExceptionOfType(LockAccessException.class).isThrownBy(() -> guarded.mono().block(WAIT));
		});
	}

	@Test
	void itIsNoOutage() {
		assertThat(LockAccessException.class).isAssignableTo(LockException.class);
		assertThat(LockUnavailableException.class.isAssignableFrom(LockAccessException.class)).isFalse();
	}

	private static LockHealth.Report health(ApplicationContext context) {
		return new LockHealth(true, context.getBean(LockProvider.class)).report();
	}

	private static void await(Callable<Boolean> condition) {
		Awaitility.await().atMost(WAIT).until(condition);
	}

	private static List<String> lines(CapturedOutput output, String text) {
		return output.getOut().lines().filter((line) -> line.contains(text)).toList();
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

	static class Job {

		private final AtomicInteger runs = new AtomicInteger();

		int runs() {
			return this.runs.get();
		}

		@Scheduled(fixedDelay = 20)
		@DistributedLock("job")
		void run() {
			this.runs.incrementAndGet();
		}

	}

	static class Guarded {

		@DistributedLock(key = "skipped", onNotAcquired = NotAcquiredPolicy.SKIP,
				onUnavailable = UnavailablePolicy.SKIP)
		void skipped() {
		}

		@DistributedLock(key = "fallback", fallbackMethod = "instead")
		String withFallback() {
			return "guarded";
		}

		String instead() {
			return "instead";
		}

		@DistributedLock(key = "future", onUnavailable = UnavailablePolicy.SKIP)
		CompletableFuture<String> future() {
			return CompletableFuture.completedFuture("guarded");
		}

		@DistributedLock(key = "mono", onUnavailable = UnavailablePolicy.SKIP)
		Mono<String> mono() {
			return Mono.just("guarded");
		}

	}

}
