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

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockTick;

import org.springframework.scheduling.annotation.Scheduled;

/**
 * How often the job of a cluster has run each tick, by the tick of its lock.
 */
class TickLog {

	private final Map<Instant, Integer> runs = new ConcurrentSkipListMap<>();

	/**
	 * The job runs.
	 * @return its tick
	 */
	Instant run() {
		Instant tick = Objects.requireNonNull(LockTick.current(), "The run is no tick").time();
		this.runs.merge(tick, 1, Integer::sum);
		return tick;
	}

	Map<Instant, Integer> runs() {
		return this.runs;
	}

	/**
	 * A job that is done at once.
	 */
	static class Job {

		private final TickLog log;

		Job(TickLog log) {
			this.log = log;
		}

		@Scheduled(cron = "${app.cron:* * * * * *}", zone = "UTC")
		@DistributedLock("report")
		void report() {
			this.log.run();
		}

	}

}
