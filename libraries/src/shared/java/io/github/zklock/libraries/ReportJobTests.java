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

import java.time.Instant;
import java.util.Date;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.core.LockOperations;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.TriggerBuilder;
import org.quartz.impl.JobExecutionContextImpl;
import org.quartz.spi.OperableTrigger;
import org.quartz.spi.TriggerFiredBundle;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Quartz without its own clustering: one node runs each time.
 */
@Tag("server")
class ReportJobTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void oneNodeRunsEachPlannedTime() {
		AtomicInteger reports = new AtomicInteger();
		Instant time = Instant.parse("2026-10-05T04:00:00Z");
		try (Node one = start(); Node two = start()) {
			ReportJob onOne = new ReportJob(one.bean(LockOperations.class), reports::incrementAndGet);
			ReportJob onTwo = new ReportJob(two.bean(LockOperations.class), reports::incrementAndGet);
			onOne.execute(context(onOne, time));
			onTwo.execute(context(onTwo, time));
			assertThat(reports).hasValue(1);
			onTwo.execute(context(onTwo, time.plusSeconds(60)));
			assertThat(reports).hasValue(2);
		}
	}

	private static JobExecutionContext context(ReportJob job, Instant time) {
		JobDetail detail = JobBuilder.newJob(ReportJob.class).withIdentity("report").build();
		OperableTrigger trigger = (OperableTrigger) TriggerBuilder.newTrigger().build();
		return new JobExecutionContextImpl(null,
				new TriggerFiredBundle(detail, trigger, null, false, new Date(), Date.from(time), null, null), job);
	}

	private static Node start() {
		return Node.start(Application.class, server.connectString(), "jdbc:h2:mem:reports;DB_CLOSE_DELAY=-1");
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
