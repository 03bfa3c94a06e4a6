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

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Use 1: a scheduled job. Every node has it, one node runs each tick.
 */
@Component
class ReportJob {

	private final JdbcClient jdbc;

	private final Ticks ticks;

	private final Console console;

	private final Duration period;

	ReportJob(JdbcClient jdbc, Ticks ticks, Console console, @Value("${sample.report-seconds}") int seconds) {
		this.jdbc = jdbc;
		this.ticks = ticks;
		this.console = console;
		this.period = Duration.ofSeconds(seconds);
	}

	@Scheduled(cron = "*/${sample.report-seconds} * * * * *")
	@DistributedLock(key = "report")
	void run() {
		long tick = this.ticks.current(this.period);
		if (tick <= this.ticks.last("report")) {
			return;
		}
		this.jdbc.sql("insert into report (tick, node, token) values (?, ?, ?)")
			.params(tick, this.console.node(), LockHandle.current().fencingToken())
			.update();
		this.ticks.done("report", tick);
		this.console.say("tick " + tick);
	}

}
