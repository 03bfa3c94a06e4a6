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

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.Fenced;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.core.LockTick;

import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.job.parameters.JobParametersBuilder;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Launches the job with Spring Batch 6.
 */
class Settlement {

	private final JobOperator operator;

	private final JobRepository repository;

	private final Job settlement;

	Settlement(JobOperator operator, JobRepository repository, Job settlement) {
		this.operator = operator;
		this.repository = repository;
		this.settlement = settlement;
	}

	@Scheduled(cron = "0 0 4 * * *", zone = "Europe/Berlin")
	@OncePerTick(recoverWithin = "6h")
	@Fenced
	@DistributedLock(key = "batch:settlement")
	void settle() throws Exception {
		LockTick tick = LockTick.current();
		JobParameters parameters = new JobParametersBuilder().addString("tick", tick.time().toString())
			.toJobParameters();
		JobExecution last = this.repository.getLastJobExecution("settlement", parameters);
		if (last == null) {
			this.operator.start(this.settlement, parameters);
		}
		else if (tick.isRecovery() && last.getStatus() != BatchStatus.COMPLETED) {
			this.operator.restart(this.operator.recover(last));
		}
	}

}
