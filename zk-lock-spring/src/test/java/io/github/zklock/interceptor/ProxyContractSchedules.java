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

import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.core.LockMode;
import io.github.zklock.interceptor.check.GuardedMethods;
import io.github.zklock.interceptor.source.LockOperationSource;
import io.github.zklock.scheduling.ScheduledRunConfigurer;
import io.github.zklock.support.ManualTaskScheduler;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Scheduled jobs for {@link ProxyContractTicks}.
 */
final class ProxyContractSchedules {

	static final Instant START = Instant.parse("2026-10-05T09:59:55Z");

	private static final String EVERY_TEN_SECONDS = "0/10 * * * * *";

	private ProxyContractSchedules() {
	}

	@Configuration(proxyBeanMethods = false)
	static class Scheduler {

		@Bean
		ManualTaskScheduler taskScheduler() {
			return new ManualTaskScheduler(START);
		}

		@Bean
		ScheduledRunConfigurer scheduledRunConfigurer(ConfigurableListableBeanFactory beanFactory,
				LockOperationSource operationSource) {
			return new ScheduledRunConfigurer(new GuardedMethods(beanFactory, operationSource)::exist, () -> false,
					List::of);
		}

		@Bean
		static LockTickAdvising lockTickAdvising() {
			return new LockTickAdvising();
		}

	}

	interface Report {

		void report();

	}

	@Import(Scheduler.class)
	abstract static class AbstractReport implements Report {

		private final LockEvents events;

		AbstractReport(LockEvents events) {
			this.events = events;
		}

		void body() {
			this.events.add("body");
		}

		void fallback() {
			this.events.add("**fallback method**");
		}

	}

	static class CronReport extends AbstractReport {

		CronReport(LockEvents events) {
			super(events);
		}

		@Override
		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC")
		@DistributedLock("report")
		public void report() {
			body();
		}

	}

	@Import(CronReport.class)
	static class ReportCaller {

		private final ObjectProvider<Report> reports;

		ReportCaller(ObjectProvider<Report> reports) {
			this.reports = reports;
		}

		@Scheduled(cron = "1/10 * * * * *", zone = "UTC")
		void call() {
			this.reports.getObject().report();
		}

	}

	static class TwiceReport extends AbstractReport {

		TwiceReport(LockEvents events) {
			super(events);
		}

		@Override
		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC")
		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		@DistributedLock("report")
		public void report() {
			body();
		}

	}

	@Import(AnotherJob.class)
	static class TwoJobs extends CronReport {

		TwoJobs(LockEvents events) {
			super(events);
		}

	}

	static class AnotherJob {

		private final LockEvents events;

		AnotherJob(LockEvents events) {
			this.events = events;
		}

		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC")
		@DistributedLock("report")
		void another() {
			this.events.add("body");
		}

	}

	static class OffReport extends AbstractReport {

		OffReport(LockEvents events) {
			super(events);
		}

		@Override
		@Scheduled(cron = "-")
		@DistributedLock("report")
		public void report() {
			body();
		}

	}

	static class FallbackReport extends AbstractReport {

		FallbackReport(LockEvents events) {
			super(events);
		}

		@Override
		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC")
		@DistributedLock(key = "report", fallbackMethod = "fallback")
		public void report() {
			body();
		}

	}

	static class KeptReport extends AbstractReport {

		KeptReport(LockEvents events) {
			super(events);
		}

		@Override
		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC")
		@OncePerTick(enabled = false)
		@DistributedLock("report")
		public void report() {
			body();
		}

	}

	static class ReaderReport extends AbstractReport {

		ReaderReport(LockEvents events) {
			super(events);
		}

		@Override
		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC")
		@DistributedLock(key = "report", mode = LockMode.READ)
		public void report() {
			body();
		}

	}

	static class PeriodicReport extends AbstractReport {

		PeriodicReport(LockEvents events) {
			super(events);
		}

		@Override
		@Scheduled(fixedRate = 11, timeUnit = TimeUnit.SECONDS)
		@DistributedLock("report")
		public void report() {
			body();
		}

	}

	static class AsyncReport extends AbstractReport {

		AsyncReport(LockEvents events) {
			super(events);
		}

		@Override
		@Async
		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC")
		@DistributedLock("report")
		public void report() {
			body();
		}

	}

	interface PublisherReport {

		Mono<Void> report();

	}

	@Import(Scheduler.class)
	static class MonoReport implements PublisherReport {

		private final LockEvents events;

		MonoReport(LockEvents events) {
			this.events = events;
		}

		@Override
		@Scheduled(cron = EVERY_TEN_SECONDS, zone = "UTC")
		@DistributedLock("report")
		public Mono<Void> report() {
			return Mono.fromRunnable(() -> this.events.add("body"));
		}

	}

}
