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
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.autoconfigure.endpoint.ZkLockEndpointAutoConfiguration;
import io.github.zklock.autoconfigure.observation.ZkLockMetricsAutoConfiguration;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockJobs;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.spi.LockKeyResolver;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.endpoint.ZkJobsEndpoint;
import io.github.zklock.interceptor.BeanFactoryLockOperationSourceAdvisor;
import io.github.zklock.interceptor.source.AnnotationLockOperationSource;
import io.github.zklock.interceptor.source.LockOperationSource;
import io.github.zklock.interceptor.source.TestLockSettings;
import io.github.zklock.support.ManualTaskScheduler;
import io.github.zklock.test.memory.InMemoryLockProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.Advised;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A context with auto-configured locks below another one: it uses the locks of its parent
 * and checks its own beans.
 */
class ChildContextTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class));

	private final ApplicationContextRunner parent = this.contextRunner.withBean(InMemoryLockProvider.class);

	@ParameterizedTest
	@ValueSource(classes = { ZkLockAopAutoConfiguration.class, AopAutoConfiguration.class })
	void locksOfTheParentAreUsedAndEachMethodIsGuardedOnce(Class<?> proxies) {
		this.parent.run((above) -> this.contextRunner.withParent(above)
			.withConfiguration(AutoConfigurations.of(proxies))
			.withBean(Guarded.class)
			.run((child) -> {
				assertThat(child.getBeanNamesForType(LockProvider.class)).isEmpty();
				Guarded guarded = child.getBean(Guarded.class);
				assertThat(Arrays.stream(((Advised) guarded).getAdvisors())
					.filter(BeanFactoryLockOperationSourceAdvisor.class::isInstance)).hasSize(1);
				LockHandle held = above.getBean(LockProvider.class)
					.acquire(LockRequest.of("key-child").withOwner("other"));
				assertThat(guarded.key("child")).isEqualTo("instead of key-child");
				held.release();
				assertThat(guarded.key("child")).isEqualTo("key-child");
			}));
	}

	@Test
	void methodOfTheChildThatCannotBeGuardedIsRefused() {
		this.parent.run((above) -> this.contextRunner.withParent(above)
			.withBean(PrivatelyGuarded.class)
			.run((child) -> assertThat(FailureAnalyses.of(child.getStartupFailure()).getDescription())
				.contains("PrivatelyGuarded.work() is private")));
	}

	@Test
	void keysAreMadeOfPropertiesAndBeansOfTheChild() {
		this.parent.withPropertyValues("app.tenant=parent")
			.run((above) -> this.contextRunner.withParent(above)
				.withPropertyValues("app.tenant=child")
				.withBean("keys", Keys.class)
				.withBean(Keyed.class)
				.run((child) -> {
					assertThat(child).hasNotFailed();
					assertThat(child.getBean(Keyed.class).tenant()).isEqualTo("child:x");
					assertThat(child.getBean(Keyed.class).bean()).isEqualTo("key of the child");
				}));
	}

	@Test
	void keyWithABeanThatNeitherContextHasIsRefused() {
		this.parent.run((above) -> this.contextRunner.withParent(above)
			.withPropertyValues("app.tenant=child")
			.withBean(Keyed.class)
			.run((child) -> assertThat(FailureAnalyses.of(child.getStartupFailure()).getDescription())
				.contains("there is no bean 'keys'")));
	}

	@Test
	void operationSourceOfTheParentIsUsedInTheChild() {
		AnnotationLockOperationSource source = new AnnotationLockOperationSource(TestLockSettings::new,
				() -> (text) -> text.replace("plain", "replaced"));
		this.parent.withBean("ownSource", LockOperationSource.class, () -> source)
			.run((above) -> this.contextRunner.withParent(above)
				.withBean(Plain.class)
				.run((child) -> assertThat(child.getBean(Plain.class).key()).isEqualTo("replaced")));
	}

	@Test
	void whatTheApplicationOfTheParentHasReplacedIsReplacedInTheChild() {
		LockOperations operations = new LockTemplate(new InMemoryLockProvider());
		LockKeyResolver resolver = (keys, method, target, arguments) -> List.of("resolved");
		this.parent.withBean("ownOperations", LockOperations.class, () -> operations)
			.withBean("ownResolver", LockKeyResolver.class, () -> resolver)
			.run((above) -> this.contextRunner.withParent(above)
				.withBean(Plain.class)
				.withBean(Injected.class)
				.run((child) -> {
					assertThat(child.getBean(Plain.class).key()).isEqualTo("resolved");
					assertThat(child.getBean(Injected.class)).isEqualTo(new Injected(operations, resolver));
				}));
	}

	@Test
	void childWithoutAutoConfigurationIsGuardedByItsParentIfItsProxiesAskAllAdvisors() {
		this.parent.run((above) -> new ApplicationContextRunner().withParent(above)
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
			.withBean(Plain.class)
			.run((child) -> assertThat(child.getBean(Plain.class).key()).isEqualTo("plain")));
	}

	@Test
	void jobsOfTheChildAndOfItsParentAreListedPausedAndRunByTheChild() {
		ManualTaskScheduler scheduler = new ManualTaskScheduler(TickNode.START);
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		ApplicationContextRunner node = this.contextRunner
			.withConfiguration(AutoConfigurations.of(ZkLockSchedulingAutoConfiguration.class,
					ZkLockMetricsAutoConfiguration.class, ZkLockEndpointAutoConfiguration.class))
			.withPropertyValues("management.endpoints.web.exposure.include=*")
			.withBean("taskScheduler", ManualTaskScheduler.class, () -> scheduler)
			.withUserConfiguration(TickNode.Scheduling.class);
		node.withBean(InMemoryLockProvider.class)
			.withBean(MeterRegistry.class, () -> registry)
			.withBean(TickBeans.CronJob.class)
			.run((above) -> node.withParent(above).withBean(ChildJob.class).run((child) -> {
				LockJobs jobs = child.getBean(LockJobs.class);
				assertThat(jobs.list()).extracting(LockJob::name)
					.containsExactly("child-context-job", "cron-job-report");
				assertThat(child.getBean(ZkJobsEndpoint.class).jobs().toString()).contains("name=child-context-job")
					.contains("name=cron-job-report");
				assertThat(registry.find("zk.lock.job.paused").gauges())
					.extracting((gauge) -> gauge.getId().getTag("name"))
					.containsExactlyInAnyOrder("child-context-job", "cron-job-report");
				jobs.pause("child-context-job", "admin");
				jobs.pause("cron-job-report", "admin");
				scheduler.advance(Duration.ofSeconds(10));
				assertThat(child.getBean(ChildJob.class).runs()).isZero();
				assertThat(child.getBean(TickBeans.CronJob.class).runs()).isZero();
				assertThat(above.getBean(LockJobs.class).get("cron-job-report").pausedBy()).isEqualTo("admin");
				CompletableFuture<Void> begun = jobs.run("child-context-job");
				scheduler.advance(Duration.ZERO);
				assertThat(begun).succeedsWithin(Duration.ofSeconds(30));
				jobs.resume("cron-job-report");
				scheduler.advance(Duration.ofSeconds(10));
				assertThat(child.getBean(TickBeans.CronJob.class).runs()).isOne();
				assertThat(child.getBean(ChildJob.class).runs()).isOne();
			}));
	}

	static class ChildJob extends TickBeans.Counting {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@DistributedLock(key = "child", name = "child-context-job")
		void report() {
			this.runs.incrementAndGet();
		}

	}

	static class Guarded {

		@DistributedLock(key = "key-#{#name}", waitMs = 0, fallbackMethod = "instead")
		@Nullable String key(String name) {
			return LockHandle.current().key();
		}

		String instead(String name) {
			return "instead of key-" + name;
		}

	}

	static class Keys implements Supplier<String> {

		@Override
		public String get() {
			return "key of the child";
		}

	}

	static class Keyed {

		@DistributedLock("${app.tenant}:x")
		@Nullable String tenant() {
			return LockHandle.current().key();
		}

		@DistributedLock("#{@keys.get()}")
		@Nullable String bean() {
			return LockHandle.current().key();
		}

	}

	static class PrivatelyGuarded {

		@DistributedLock("private")
		private void work() {
		}

	}

	static class Plain {

		@DistributedLock(key = "plain", name = "plain")
		@Nullable String key() {
			return LockHandle.current().key();
		}

	}

	record Injected(LockOperations operations, LockKeyResolver resolver) {

	}

}
