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
import java.util.List;

import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.ManualTaskScheduler;
import io.github.zklock.support.RecordingLockProvider;
import io.github.zklock.test.memory.InMemoryLockProvider;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * A node of a cluster whose time a test moves on, and whose locks are those of the other
 * nodes.
 */
class TickNode {

	static final Instant START = Instant.parse("2026-10-05T09:59:55Z");

	final ManualTaskScheduler scheduler = new ManualTaskScheduler(START);

	final RecordingLockProvider locks;

	private final ApplicationContextRunner contextRunner;

	TickNode(InMemoryLockProvider shared) {
		this.locks = new RecordingLockProvider(shared);
		this.contextRunner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class,
					ZkLockSchedulingAutoConfiguration.class))
			.withBean("locks", LockProvider.class, () -> this.locks)
			.withBean("taskScheduler", ManualTaskScheduler.class, () -> this.scheduler)
			.withUserConfiguration(Scheduling.class);
	}

	ApplicationContextRunner application(Class<?>... beans) {
		ApplicationContextRunner runner = this.contextRunner;
		for (Class<?> bean : beans) {
			runner = runner.withUserConfiguration(bean);
		}
		return runner;
	}

	List<LockRequest> requests() {
		return this.locks.requests();
	}

	void advance(Duration time) {
		this.scheduler.advance(time);
	}

	@EnableScheduling
	@EnableAsync(proxyTargetClass = true)
	static class Scheduling {

	}

}
