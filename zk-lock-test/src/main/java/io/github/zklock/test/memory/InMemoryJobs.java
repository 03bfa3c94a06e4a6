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

package io.github.zklock.test.memory;

import java.time.Duration;
import java.util.List;

import io.github.zklock.core.spi.JobStore;
import org.jspecify.annotations.Nullable;

/**
 * The jobs beside locks in memory.
 */
final class InMemoryJobs implements JobStore {

	private final LockQueues queues;

	InMemoryJobs(LockQueues queues) {
		this.queues = queues;
	}

	@Override
	public List<State> read(List<Job> jobs, Duration bound) {
		return jobs.stream().map(this.queues::stateOf).toList();
	}

	@Override
	public void pause(Job job, @Nullable String by, Duration bound) {
		this.queues.pause(job, new Pause(this.queues.clock().instant(), by));
	}

	@Override
	public void resume(Job job, Duration bound) {
		this.queues.resume(job, this.queues.clock().instant());
	}

}
