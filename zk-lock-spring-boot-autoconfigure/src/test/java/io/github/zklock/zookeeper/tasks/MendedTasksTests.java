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

package io.github.zklock.zookeeper.tasks;

import java.util.Queue;

import io.github.zklock.support.IndependentOfBoot;
import io.github.zklock.zookeeper.tasks.MendedTasks.Mending;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MendedTasks}.
 */
@IndependentOfBoot
class MendedTasksTests {

	private static final int MANY = 30;

	private final IdleTasks idle = new IdleTasks();

	private final Queue<Runnable> soon = this.idle.scheduled();

	private final MendedTasks tasks = new MendedTasks(this.idle);

	private int failures;

	private int successes;

	private final Mending mending = this.tasks.guard(() -> {
		if (this.failures > 0) {
			this.failures--;
			throw new IllegalStateException("the step has failed");
		}
		this.successes++;
	});

	@Test
	void stepThatFailsOnceInAWhileIsAlwaysRepeatedSoon() {
		for (int i = 1; i <= MANY; i++) {
			this.failures = 1;
			this.mending.run();
			assertThat(this.soon).hasSize(1);
			this.soon.remove().run();
			assertThat(this.successes).isEqualTo(i);
		}
	}

	@Test
	void stepThatFailsAgainAndAgainIsLeftToThePeriodicLook() {
		this.failures = MANY;
		this.mending.run();
		int repeated = 0;
		while (!this.soon.isEmpty()) {
			this.soon.remove().run();
			repeated++;
		}
		assertThat(repeated).isLessThan(MANY);
		for (int i = repeated; i < MANY; i++) {
			this.tasks.mend();
		}
		assertThat(this.successes).isOne();
	}

}
