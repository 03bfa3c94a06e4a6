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
import java.time.Instant;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.interceptor.ProxyContractSchedules.AsyncReport;
import io.github.zklock.interceptor.ProxyContractSchedules.CronReport;
import io.github.zklock.interceptor.ProxyContractSchedules.FallbackReport;
import io.github.zklock.interceptor.ProxyContractSchedules.KeptReport;
import io.github.zklock.interceptor.ProxyContractSchedules.MonoReport;
import io.github.zklock.interceptor.ProxyContractSchedules.OffReport;
import io.github.zklock.interceptor.ProxyContractSchedules.PeriodicReport;
import io.github.zklock.interceptor.ProxyContractSchedules.PublisherReport;
import io.github.zklock.interceptor.ProxyContractSchedules.ReaderReport;
import io.github.zklock.interceptor.ProxyContractSchedules.Report;
import io.github.zklock.interceptor.ProxyContractSchedules.ReportCaller;
import io.github.zklock.interceptor.ProxyContractSchedules.TwiceReport;
import io.github.zklock.interceptor.ProxyContractSchedules.TwoJobs;
import io.github.zklock.support.ManualTaskScheduler;
import io.github.zklock.test.memory.InMemoryLockProvider;

import org.springframework.context.ApplicationContext;

/**
 * The rows of the proxy contract whose methods are called by Spring's scheduler.
 */
final class ProxyContractTicks {

	private static final Instant TICK = ProxyContractSchedules.START.plusSeconds(5);

	private ProxyContractTicks() {
	}

	static Stream<ProxyContractRow<?>> rows() {
		return Stream.of(cron(), others(), elsewhere()).flatMap((rows) -> rows);
	}

	private static Stream<ProxyContractRow<?>> cron() {
		return Stream.of(
				row("`cron`: a tick that no node has run", CronReport.class, (context) -> advance(context))
					.then("lock report", "body", "unlock"),
				row("`cron`: a tick that another node has run", CronReport.class, (context) -> {
					hasRun(context, CronReport.class, TICK);
					advance(context);
				}).then("refused report"),
				row("`cron`: a tick that was overtaken, since another node has run a later one", CronReport.class,
						(context) -> {
							hasRun(context, CronReport.class, TICK.plusSeconds(10));
							advance(context);
						})
					.then("refused report"),
				row("`cron`: the key is held from before the tick until after it, by a call that is no tick",
						CronReport.class, (context) -> {
							LockHandle held = locks(context).acquire(LockRequest.of("report").withOwner("another"));
							advance(context);
							held.release();
						})
					.then("refused report"),
				row("by hand, when another node has run the tick", CronReport.class, (context) -> {
					hasRun(context, CronReport.class, TICK);
					advance(context);
					context.getBean(Report.class).report();
				}).then("refused report", "lock report", "body", "unlock"),
				row("by another scheduled method, when another node has run the tick", ReportCaller.class,
						(context) -> {
							hasRun(context, CronReport.class, TICK);
							advance(context);
						})
					.then("refused report", "lock report", "body", "unlock"),
				row("`cron`, twice at one moment: one tick", TwiceReport.class, (context) -> advance(context))
					.then("lock report", "body", "unlock", "refused report"),
				row("`cron`, two jobs with one key: each has its own tick", TwoJobs.class,
						(context) -> advance(context))
					.then("lock report", "body", "unlock", "lock report", "body", "unlock"),
				row("`cron = \"-\"`", OffReport.class, (context) -> advance(context)).then());
	}

	private static Stream<ProxyContractRow<?>> others() {
		return Stream.of(row("`cron` with `fallbackMethod`: a tick that another node has run", FallbackReport.class,
				(context) -> {
					hasRun(context, FallbackReport.class, TICK);
					advance(context);
				})
			.then("refused report", "**fallback method**"),
				row("`cron` with `@OncePerTick(enabled = false)`, so without ticks, when another node is done",
						KeptReport.class, (context) -> {
							hasRun(context, KeptReport.class, TICK);
							advance(context);
						})
					.then("lock report", "body", "unlock"),
				row("`cron` with `mode = READ`, so without ticks, when another node is done", ReaderReport.class,
						(context) -> {
							hasRun(context, ReaderReport.class, TICK);
							advance(context);
						})
					.then("lock report", "body", "unlock"),
				row("`fixedRate`: a node follows its own schedule", PeriodicReport.class, (context) -> {
					advance(context);
					advance(context);
				}).then("lock report", "body", "unlock", "lock report", "body", "unlock"));
	}

	private static Stream<ProxyContractRow<?>> elsewhere() {
		return Stream.of(
				row("`cron` with `@Async`: a tick that no node has run", AsyncReport.class,
						(context) -> advance(context))
					.then("lock report@async", "body@async", "unlock@async"),
				row("`cron` with `@Async`: a tick that another node has run", AsyncReport.class, (context) -> {
					hasRun(context, AsyncReport.class, TICK);
					advance(context);
				}).then("refused report@async"),
				ProxyContractRow
					.row("`cron`, returns a `Mono`: a tick that no node has run, then one that another has run",
							PublisherReport.class, MonoReport.class)
					.whenIn((context) -> {
						advance(context);
						hasRun(context, MonoReport.class, TICK.plusSeconds(10));
						advance(context);
					})
					.then("lock report", "body", "unlock", "refused report"));
	}

	private static ProxyContractRow<?> row(String name, Class<?> bean, Consumer<ApplicationContext> call) {
		return ProxyContractRow.row(name, Report.class, bean).whenIn(call);
	}

	private static void advance(ApplicationContext context) {
		context.getBean(ManualTaskScheduler.class).advance(Duration.ofSeconds(10));
	}

	private static void hasRun(ApplicationContext context, Class<?> job, Instant tick) {
		locks(context).acquire(
				LockRequest.of("report").withOwner("another").withTick(LockTick.at(job.getName() + ".report", tick)))
			.release();
	}

	private static InMemoryLockProvider locks(ApplicationContext context) {
		return context.getBean(InMemoryLockProvider.class);
	}

}
