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

package io.github.zklock.libraries;

import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import org.quartz.Job;
import org.quartz.JobExecutionContext;

/**
 * A job of Quartz, which fires on each node.
 */
class ReportJob implements Job {

	private final LockOperations locks;

	private final Runnable report;

	ReportJob(LockOperations locks, Runnable report) {
		this.locks = locks;
		this.report = report;
	}

	@Override
	public void execute(JobExecutionContext context) {
		LockTick tick = LockTick.at("report", context.getScheduledFireTime().toInstant());
		this.locks.tryExecute(LockRequest.of("report").withTick(tick), (handle) -> this.report.run());
	}

}
