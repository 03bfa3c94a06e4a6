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

import java.time.Instant;
import java.util.Objects;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockTick;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Use 1: a scheduled job. Every node has it, one node runs each tick.
 */
@Component
class ReportJob {

	private final JdbcClient jdbc;

	private final Console console;

	ReportJob(JdbcClient jdbc, Console console) {
		this.jdbc = jdbc;
		this.console = console;
	}

	@Scheduled(cron = "*/${sample.report-seconds} * * * * *")
	@DistributedLock(key = "report")
	void run() {
		LockTick run = Objects.requireNonNull(LockTick.current(), "The report is not to be called directly");
		Instant tick = Objects.requireNonNull(run.time());
		if (run.isByHand()) {
			this.console.say("by hand");
			return;
		}
		this.jdbc.sql("insert into report (tick, node, token) values (?, ?, ?)")
			.params(tick.getEpochSecond(), this.console.node(), LockHandle.current().fencingToken())
			.update();
		this.console.say("tick " + tick);
	}

}
