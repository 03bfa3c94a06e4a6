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

import org.springframework.batch.core.configuration.annotation.EnableBatchProcessing;
import org.springframework.batch.core.configuration.annotation.EnableJdbcJobRepository;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.item.ExecutionContext;
import org.springframework.batch.infrastructure.item.ItemStreamReader;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * A batch job of one step, which begins again after its last whole chunk.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableBatchProcessing
@EnableJdbcJobRepository
@Import({ Entries.class, Settlement.class })
class SettlementApplication {

	@Bean
	Job settlementJob(JobRepository repository, PlatformTransactionManager transactions, Entries entries) {
		return new JobBuilder("settlement", repository)
			.start(new StepBuilder("entries", repository).<Integer, Integer>chunk(2)
				.transactionManager(transactions)
				.reader(new Numbers())
				.writer((chunk) -> entries.write(chunk.getItems()))
				.build())
			.build();
	}

	/** The numbers from one. */
	private static final class Numbers implements ItemStreamReader<Integer> {

		private int last;

		@Override
		public void open(ExecutionContext context) {
			this.last = context.getInt("last", 0);
		}

		@Override
		public Integer read() {
			return (this.last < SettlementTests.ITEMS) ? ++this.last : null;
		}

		@Override
		public void update(ExecutionContext context) {
			context.putInt("last", this.last);
		}

	}

}
