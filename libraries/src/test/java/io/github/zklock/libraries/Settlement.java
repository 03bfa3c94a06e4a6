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

import java.time.LocalDateTime;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.Fenced;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.core.LockTick;

import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.Job;
import org.springframework.batch.core.JobExecution;
import org.springframework.batch.core.JobParameters;
import org.springframework.batch.core.JobParametersBuilder;
import org.springframework.batch.core.StepExecution;
import org.springframework.batch.core.launch.JobLauncher;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Launches the job with Spring Batch 5.
 */
class Settlement {

	private final JobLauncher launcher;

	private final JobRepository repository;

	private final Job settlement;

	Settlement(JobLauncher launcher, JobRepository repository, Job settlement) {
		this.launcher = launcher;
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
			this.launcher.run(this.settlement, parameters);
		}
		else if (tick.isRecovery() && last.getStatus() != BatchStatus.COMPLETED) {
			recover(last);
			this.launcher.run(this.settlement, parameters);
		}
	}

	private void recover(JobExecution execution) {
		for (StepExecution step : execution.getStepExecutions()) {
			if (step.getStatus().isRunning()) {
				step.setStatus(BatchStatus.FAILED);
				step.setEndTime(LocalDateTime.now());
				this.repository.update(step);
			}
		}
		execution.setStatus(BatchStatus.FAILED);
		execution.setEndTime(LocalDateTime.now());
		this.repository.update(execution);
	}

}
