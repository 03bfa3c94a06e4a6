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

package io.github.zklock.sample.node;

import java.time.Clock;

import io.github.zklock.autoconfigure.ZooKeeperLockProviderBuilderCustomizer;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.task.ThreadPoolTaskSchedulerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * One node of the sample application.
 *
 * @since 0.1.0
 */
@EnableScheduling
@SpringBootApplication(proxyBeanMethods = false)
public class NodeApplication {

	@Bean
	Clock clock() {
		return Clock.systemUTC();
	}

	@Bean
	ZooKeeperLockProviderBuilderCustomizer nameOfTheNode(@Value("${sample.name}") String node) {
		return (builder) -> builder.instance(node);
	}

	@Bean
	ThreadPoolTaskSchedulerCustomizer jobsThatStandStill(NodePause pause) {
		return (scheduler) -> scheduler.setTaskDecorator((job) -> () -> {
			pause.pass();
			job.run();
		});
	}

	@Bean
	ThreadPoolTaskSchedulerCustomizer failedJobsOnTheConsole(Console console) {
		return (scheduler) -> scheduler.setErrorHandler(console::jobFailed);
	}

}
