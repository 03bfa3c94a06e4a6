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

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntConsumer;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.core.LockTick;

import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.Retryable;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Scheduled jobs with shards.
 */
final class ShardBeans {

	private ShardBeans() {
	}

	abstract static class Shards {

		private final List<String> runs = new CopyOnWriteArrayList<>();

		private volatile IntConsumer work = (shard) -> {
		};

		List<String> runs() {
			return this.runs;
		}

		List<Integer> shards() {
			return this.runs.stream().map((run) -> Integer.valueOf(run.substring(0, run.indexOf(' ')))).toList();
		}

		void during(IntConsumer work) {
			this.work = work;
		}

		void work() {
			LockTick tick = Objects.requireNonNull(LockTick.current(), "The run is no tick");
			this.runs.add(tick.shard() + " " + tick.time() + " " + tick.attempt());
			this.work.accept(tick.shard());
		}

	}

	static class Sharded extends Shards {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS, zone = "UTC")
		@OncePerTick(shards = "${app.shards:8}")
		@DistributedLock(key = "reindex", name = "reindex")
		void reindex() {
			work();
		}

	}

	static class Recovered extends Shards {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS, zone = "UTC")
		@OncePerTick(shards = "8", recoverWithin = "2h")
		@DistributedLock(key = "reindex", name = "reindex")
		void reindex() {
			work();
		}

	}

	static class Retried extends Shards {

		@Retryable(backoff = @Backoff(0))
		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS, zone = "UTC")
		@OncePerTick(shards = "4")
		@DistributedLock("reindex")
		void reindex() {
			work();
			LockTick tick = Objects.requireNonNull(LockTick.current(), "The run is no tick");
			if (tick.shard() == 2 && shards().stream().filter((shard) -> shard == 2).count() == 1) {
				throw new IllegalStateException("first attempt");
			}
		}

	}

	static class Plain {

		private final List<String> ticks = new CopyOnWriteArrayList<>();

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS, zone = "UTC")
		@OncePerTick(shards = "4")
		@DistributedLock("reindex")
		void reindex() {
			LockTick tick = LockTick.current();
			this.ticks.add((tick != null) ? tick.toString() : "none");
		}

		List<String> ticks() {
			return this.ticks;
		}

	}

}
