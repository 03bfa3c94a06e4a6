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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLoss;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("server")
class ZooKeeperShutdownTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class))
		.withPropertyValues("zk-lock.connect-string=" + server.connectString(), "zk-lock.fail-fast=true",
				"zk-lock.try-timeout=30s");

	@ParameterizedTest
	@CsvSource({ "scheduled, false", "scheduled, true", "async, false", "async, true" })
	void runningTaskKeepsItsLockUntilItIsDone(String kind, boolean awaitTermination) {
		TaskSignals signals = new TaskSignals(kind);
		this.contextRunner
			.withConfiguration(
					AutoConfigurations.of(TaskExecutionAutoConfiguration.class, TaskSchedulingAutoConfiguration.class))
			.withBean(TaskSignals.class, () -> signals)
			.withUserConfiguration(TasksConfiguration.class)
			.withPropertyValues("spring.task.execution.shutdown.await-termination=" + awaitTermination,
					"spring.task.execution.shutdown.await-termination-period=20s",
					"spring.task.scheduling.shutdown.await-termination=" + awaitTermination,
					"spring.task.scheduling.shutdown.await-termination-period=20s")
			.run((context) -> {
				context.getBean(LongTask.class).async();
				assertThat(signals.running.await(30, TimeUnit.SECONDS)).isTrue();
			});
		assertThat(signals.stateAtTheEnd).isCompletedWithValue(LockState.HELD);
	}

	@Test
	void holderOnAThreadOfItsOwnIsGivenTimeToFinish() {
		TaskSignals signals = new TaskSignals("thread");
		this.contextRunner.withBean(TaskSignals.class, () -> signals).withBean(LongTask.class).run((context) -> {
			new Thread(context.getBean(LongTask.class)::run).start();
			assertThat(signals.running.await(30, TimeUnit.SECONDS)).isTrue();
		});
		assertThat(signals.stateAtTheEnd).isCompletedWithValue(LockState.HELD);
	}

	@Test
	void holderThatDoesNotFinishLosesItsLockAfterTheGrace() {
		CompletableFuture<LockHandle> held = new CompletableFuture<>();
		this.contextRunner.withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=100ms")
			.run((context) -> held
				.complete(context.getBean(LockProvider.class).acquire(LockRequest.of("never-released"))));
		assertThat(held.join().state()).isEqualTo(LockState.LOST);
		this.contextRunner.run((context) -> context.getBean(LockProvider.class)
			.acquire(LockRequest.of("never-released").withWait(Duration.ofSeconds(10)))
			.release());
	}

	@Test
	void contextThatIsClosedUnderALockDoesNotWaitForIt() {
		CompletableFuture<LockHandle> held = new CompletableFuture<>();
		this.contextRunner.withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=1h").run((context) -> {
			CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> context.getBean(LockOperations.class)
				.<Void, RuntimeException>execute(LockRequest.of("closing"), (handle) -> {
					held.complete(handle);
					((ConfigurableApplicationContext) context.getSourceApplicationContext()).close();
					return null;
				}));
			assertThat(closed).failsWithin(Duration.ofMinutes(2))
				.withThrowableThat()
				.withCauseInstanceOf(LockLostException.class);
		});
		assertThat(held.join().loss()).isEqualTo(LockLoss.SHUT_DOWN);
	}

	@Test
	void beansCanLockWhileTheyAreInitializedAndDestroyed() {
		CompletableFuture<String> destroyed = new CompletableFuture<>();
		this.contextRunner.withBean("destroyed", CompletableFuture.class, () -> destroyed)
			.withUserConfiguration(LockingBean.class)
			.run((context) -> assertThat(context.getBean(LockingBean.class).initialized).isEqualTo("locked"));
		assertThat(destroyed).isCompletedWithValue("locked");
	}

	@Test
	void beansCanCallGuardedMethodsWhileTheyAreDestroyed() {
		CompletableFuture<String> destroyed = new CompletableFuture<>();
		this.contextRunner.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class))
			.withBean("destroyed", CompletableFuture.class, () -> destroyed)
			.withUserConfiguration(CallingBean.class, GuardedBean.class)
			.run((context) -> assertThat(destroyed).isNotDone());
		assertThat(destroyed).isCompletedWithValue("guarded-bean");
	}

	@Test
	void locksSurviveAPauseOfTheContext() {
		this.contextRunner.run((context) -> {
			LockHandle handle = context.getBean(LockProvider.class).acquire(LockRequest.of("paused"));
			context.stop();
			context.start();
			assertThat(handle.isHeld()).isTrue();
			handle.release();
			context.getBean(LockProvider.class).acquire(LockRequest.of("paused")).release();
		});
	}

	@ParameterizedTest
	@CsvSource({ "true, zkLockProvider", "false," })
	void executorsDependOnTheLocksUnlessTheyAreToldNotTo(boolean depend, String dependency) {
		this.contextRunner.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
			.withPropertyValues("zk-lock.executors-depend-on-client=" + depend)
			.run((context) -> {
				assertThat(context).hasSingleBean(Executor.class);
				String[] dependsOn = context.getBeanFactory()
					.getBeanDefinition("applicationTaskExecutor")
					.getDependsOn();
				assertThat((dependsOn != null) ? dependsOn[0] : null).isEqualTo(dependency);
			});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	@EnableScheduling
	@Import(LongTask.class)
	static class TasksConfiguration {

	}

	static class TaskSignals {

		private final CountDownLatch running = new CountDownLatch(1);

		private final CountDownLatch closing = new CountDownLatch(1);

		private final CompletableFuture<LockState> stateAtTheEnd = new CompletableFuture<>();

		private final String kind;

		TaskSignals(String kind) {
			this.kind = kind;
		}

	}

	static class LongTask {

		private final LockOperations locks;

		private final TaskSignals signals;

		LongTask(LockOperations locks, TaskSignals signals) {
			this.locks = locks;
			this.signals = signals;
		}

		@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.DAYS)
		void scheduled() {
			if ("scheduled".equals(this.signals.kind)) {
				run();
			}
		}

		@Async
		void async() {
			if ("async".equals(this.signals.kind)) {
				run();
			}
		}

		void run() {
			this.locks.execute(LockRequest.of("long-task"), (handle) -> {
				this.signals.running.countDown();
				Awaitility.await().until(() -> this.signals.closing.getCount() == 0);
				Awaitility.await().during(Duration.ofMillis(500)).until(() -> handle.state() == LockState.HELD);
				this.signals.stateAtTheEnd.complete(handle.state());
				return "done";
			});
		}

		@EventListener(ContextClosedEvent.class)
		void closing() {
			this.signals.closing.countDown();
		}

	}

	static class LockingBean implements InitializingBean, DisposableBean {

		private final LockOperations locks;

		private final CompletableFuture<String> destroyed;

		private String initialized = "";

		LockingBean(LockOperations locks, CompletableFuture<String> destroyed) {
			this.locks = locks;
			this.destroyed = destroyed;
		}

		@Override
		public void afterPropertiesSet() {
			this.initialized = lock();
		}

		@Override
		public void destroy() {
			this.destroyed.complete(lock());
		}

		private String lock() {
			return this.locks.execute(LockRequest.of("locking-bean"), (handle) -> "locked");
		}

	}

	static class GuardedBean {

		@DistributedLock("guarded-bean")
		String key() {
			return LockHandle.current().key();
		}

	}

	record CallingBean(GuardedBean guarded, CompletableFuture<String> destroyed) implements DisposableBean {

		@Override
		public void destroy() {
			this.destroyed.complete(this.guarded.key());
		}

	}

}
