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

import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.NotAcquiredPolicy;
import io.github.zklock.support.ManualTaskScheduler;
import reactor.core.publisher.Mono;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.retry.annotation.Retryable;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.CronTask;
import org.springframework.scheduling.support.CronTrigger;

/**
 * Scheduled jobs that count their runs.
 */
final class TickBeans {

	static final String EVERY_TEN_SECONDS = "0/10 * * * * *";

	private TickBeans() {
	}

	abstract static class Counting {

		final AtomicInteger runs = new AtomicInteger();

		int runs() {
			return this.runs.get();
		}

	}

	static class CronJob extends Counting {

		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC")
		@DistributedLock("report")
		void report() {
			this.runs.incrementAndGet();
		}

	}

	static class OneLockNestedInAnother extends Counting {

		private final ObjectProvider<OneLockNestedInAnother> self;

		private LockTick tick;

		OneLockNestedInAnother(ObjectProvider<OneLockNestedInAnother> self) {
			this.self = self;
		}

		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC")
		@DistributedLock("outer")
		void outer() {
			this.self.getObject().inner();
		}

		LockTick tick() {
			return this.tick;
		}

		@DistributedLock("inner")
		void inner() {
			this.tick = LockTick.current();
			this.runs.incrementAndGet();
		}

	}

	static class UnguardedCronJob {

		private final ObjectProvider<CronJob> jobs;

		UnguardedCronJob(ObjectProvider<CronJob> jobs) {
			this.jobs = jobs;
		}

		@Scheduled(cron = "5/10 * * * * *", zone = "UTC")
		void call() {
			this.jobs.getObject().report();
		}

	}

	static class AsyncJob extends Counting {

		@Async
		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC")
		@DistributedLock("report")
		void report() {
			this.runs.incrementAndGet();
		}

	}

	static class FailingMonoJob extends Counting {

		@DistributedLock("report")
		Mono<Void> report() {
			return Mono.error(() -> new IllegalStateException("run " + this.runs.incrementAndGet()));
		}

	}

	static class MonoJob extends Counting {

		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC")
		@DistributedLock("report")
		Mono<Void> report() {
			return Mono.fromRunnable(this.runs::incrementAndGet);
		}

	}

	static class PeriodicJobs {

		@Scheduled(fixedRate = 10_000)
		@DistributedLock("rate")
		void rate() {
		}

		@Scheduled(fixedDelayString = "PT10S", initialDelay = 0)
		@DistributedLock("delay")
		void delay() {
		}

		@Scheduled(fixedRate = 999)
		@DistributedLock("fast")
		void fast() {
		}

	}

	static class OtherLocks {

		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC")
		@DistributedLock(key = "kept", lockAtLeastFor = "2s", name = "kept")
		void kept() {
		}

		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC")
		@OncePerTick(enabled = false)
		@DistributedLock(key = "zero", name = "zero")
		void zero() {
		}

		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC")
		@DistributedLock(key = "read", mode = LockMode.READ, name = "read")
		void read() {
		}

		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC")
		@DistributedLock(key = "permits", permits = "2", name = "permits")
		void permits() {
		}

		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC")
		@DistributedLock(key = "cached", name = "cached")
		void cached() {
		}

		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC")
		@DistributedLock(key = "write", mode = LockMode.WRITE, name = "write")
		void write() {
		}

	}

	static class ZeroJob {

		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC")
		@OncePerTick(enabled = false)
		@DistributedLock(key = "zero", name = "zero")
		void run() {
		}

	}

	static class ReadOnce {

		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC")
		@OncePerTick
		@DistributedLock(key = "read", mode = LockMode.READ)
		void run() {
		}

	}

	static class SeveralKeys {

		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC")
		@DistributedLock("a")
		@DistributedLock("b")
		void both() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnTask {

		@Bean
		Called called() {
			return new Called();
		}

		@Bean
		SchedulingConfigurer ownTask(Called called) {
			return (registrar) -> registrar
				.addCronTask(new CronTask(() -> called.work("x"), new CronTrigger(EVERY_TEN_SECONDS, ZoneOffset.UTC)));
		}

	}

	static class Called extends Counting {

		@DistributedLock(key = "work:#{#id}", waitMs = 0, onNotAcquired = NotAcquiredPolicy.SKIP)
		void work(String id) {
			this.runs.incrementAndGet();
		}

	}

	static class RetriedJob extends Counting {

		@Retryable(backoff = @Backoff(0))
		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC")
		@DistributedLock("report")
		void report() {
			if (this.runs.incrementAndGet() == 1) {
				throw new IllegalStateException("first attempt");
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableRetry(order = Ordered.LOWEST_PRECEDENCE - 200)
	static class RetryOutside {

	}

	@AutoConfiguration(after = ZkLockSchedulingAutoConfiguration.class)
	static class LaterConfigurer {

		@Bean
		SchedulingConfigurer laterConfigurer(TaskScheduler taskScheduler) {
			return (registrar) -> registrar.setTaskScheduler(taskScheduler);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class FrozenProxies {

		@Bean
		static BeanFactoryPostProcessor freezing() {
			return (beanFactory) -> beanFactory.getBeanDefinition(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)
				.getPropertyValues()
				.add("frozen", true);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OtherScheduler {

		@Bean
		ManualTaskScheduler other() {
			return new ManualTaskScheduler(TickNode.START);
		}

		@Bean
		QualifiedJob qualifiedJob() {
			return new QualifiedJob();
		}

	}

	static class QualifiedJob extends Counting {

		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC", scheduler = "other")
		@DistributedLock("report")
		void report() {
			this.runs.incrementAndGet();
		}

	}

	static class UnguardedJob extends Counting {

		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC")
		void report() {
			this.runs.incrementAndGet();
		}

	}

}
