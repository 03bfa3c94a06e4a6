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

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockTick;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * A job that all nodes work on: each shard of a tick is a run of its own, on one node. If
 * that node dies in the middle, another node runs the shard again.
 */
@Component
class ReindexJob {

	private static final int PARTS = 3;

	private static final Duration PART = Duration.ofMillis(400);

	private final JdbcClient jdbc;

	private final Console console;

	ReindexJob(JdbcClient jdbc, Console console) {
		this.jdbc = jdbc;
		this.console = console;
	}

	@Scheduled(cron = "${sample.reindex-cron}")
	@OncePerTick(shards = "8", recoverWithin = "1m")
	@DistributedLock(key = "reindex", name = "reindex")
	void run() {
		LockTick run = Objects.requireNonNull(LockTick.current(), "The reindex is not to be called directly");
		Instant tick = Objects.requireNonNull(run.time());
		LockHandle lock = LockHandle.current();
		for (int part = 1; part <= PARTS; part++) {
			Work.of(PART);
			// A node that has lost its lock does no more, like one that has died.
			lock.assertHeld();
		}
		this.jdbc.sql("merge into reindex (tick, shard, node) key (tick, shard) values (?, ?, ?)")
			.params(tick.getEpochSecond(), run.shard(), this.console.node())
			.update();
		this.console.say("shard " + run.shard() + " of " + run.shards()
				+ ((run.attempt() > 1) ? ", attempt " + run.attempt() : ""));
	}

}
