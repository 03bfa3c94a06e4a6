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

package io.github.zklock.benchmarks.job;

import java.util.Objects;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.autoconfigure.ZkLockAopAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockSchedulingAutoConfiguration;
import io.github.zklock.core.LockJobs;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.LossPolicy;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * A node with zk-lock.
 *
 * @since 0.1.0
 */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
@ImportAutoConfiguration({ AopAutoConfiguration.class, LifecycleAutoConfiguration.class,
		TaskSchedulingAutoConfiguration.class, ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class,
		ZkLockSchedulingAutoConfiguration.class })
public class ZkLockNode {

	/**
	 * Run the job until the input ends.
	 * @param arguments the connect string, the {@linkplain JobPlan plan} and properties
	 * @throws Exception if that fails
	 */
	public static void main(String[] arguments) throws Exception {
		JobPlan plan = JobPlan.of(arguments);
		ConfigurableApplicationContext context = new SpringApplicationBuilder(ZkLockNode.class)
			.web(WebApplicationType.NONE)
			.initializers((prepared) -> prepared.getBeanFactory().registerSingleton("body", new JobBody(plan)))
			.properties("zk-lock.connect-string=" + arguments[0],
					"zk-lock.session-timeout=" + JobPeer.SESSION_MILLIS + "ms", "zk-lock.try-timeout=5s",
					"app.cron=" + plan.seconds() + " * * * *", "app.interrupts=" + (arguments.length > 5),
					"spring.main.banner-mode=off")
			.run();
		LockJobs jobs = context.getBean(LockJobs.class);
		JobCommands.obey(() -> jobs.pause(JobPlan.JOB, "experiment"), () -> jobs.resume(JobPlan.JOB));
	}

	@Bean
	@ConditionalOnProperty(name = "app.interrupts", havingValue = "false")
	Items items(JobBody body) {
		return new Items(body);
	}

	@Bean
	@ConditionalOnProperty(name = "app.interrupts", havingValue = "true")
	InterruptedItems interruptedItems(JobBody body) {
		return new InterruptedItems(body);
	}

	private static void runItem(JobBody body) {
		LockTick tick = Objects.requireNonNull(LockTick.current(), "The run is no tick");
		body.run(tick.shard(), String.valueOf(tick.time()));
	}

	/**
	 * With all defaults.
	 */
	static class Items {

		private final JobBody body;

		Items(JobBody body) {
			this.body = body;
		}

		@Scheduled(cron = "${app.cron}", zone = "UTC")
		@OncePerTick(shards = "" + JobPlan.ITEMS, recoverWithin = "10m")
		@DistributedLock(key = JobPlan.JOB, name = JobPlan.JOB)
		void run() {
			runItem(this.body);
		}

	}

	/**
	 * Interrupted when their lock is lost.
	 */
	static class InterruptedItems {

		private final JobBody body;

		InterruptedItems(JobBody body) {
			this.body = body;
		}

		@Scheduled(cron = "${app.cron}", zone = "UTC")
		@OncePerTick(shards = "" + JobPlan.ITEMS, recoverWithin = "10m")
		@DistributedLock(key = JobPlan.JOB, name = JobPlan.JOB, onLost = LossPolicy.INTERRUPT)
		void run() {
			runItem(this.body);
		}

	}

}
