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

import io.github.zklock.scheduling.SuspendingJob;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Scheduled functions that suspend, on two nodes.
 */
class SuspendingTickTests {

	private final InMemoryLockProvider shared = new InMemoryLockProvider();

	private final TickNode first = new TickNode(this.shared);

	private final TickNode second = new TickNode(this.shared);

	@Test
	void eachTickRunsOnOneNode() {
		this.first.application(SuspendingJob.class).run((one) -> {
			this.second.application(SuspendingJob.class).run((other) -> {
				for (int i = 1; i <= 3; i++) {
					int tick = i;
					this.first.advance(Duration.ofSeconds(10));
					await().until(() -> one.getBean(SuspendingJob.class).runs() == tick);
					this.second.advance(Duration.ofSeconds(10));
					await().until(() -> this.second.requests().size() == tick);
				}
				assertThat(other.getBean(SuspendingJob.class).runs()).isZero();
				assertThat(this.first.requests()).allMatch((request) -> request.tick() != null);
			});
		});
	}

}
