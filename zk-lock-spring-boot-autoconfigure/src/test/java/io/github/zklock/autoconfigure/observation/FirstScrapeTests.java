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

package io.github.zklock.autoconfigure.observation;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockJob.Outcome;
import io.github.zklock.core.LockJobs;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The first scrape of Prometheus has what is known of the jobs at that moment.
 */
@Tag("server")
class FirstScrapeTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void gaugesOfAJobHaveValuesRightAfterAPause() throws Exception {
		try (ConfigurableApplicationContext application = ObservedApplication.start(server, WebApplicationType.SERVLET,
				0)) {
			LockJobs jobs = application.getBean(LockJobs.class);
			jobs.run("yearly").get(60, TimeUnit.SECONDS);
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.until(() -> jobs.get("yearly").runs().get(0).outcome() == Outcome.DONE);
			jobs.pause("yearly", "admin");
			String scrape = ObservedApplication.scrape(application);
			assertThat(scrape).contains("zk_lock_job_paused{name=\"yearly\"} 1.0")
				.contains("zk_lock_job_missed{name=\"yearly\"} 0.0")
				.containsPattern("zk_lock_job_last_success_seconds\\{name=\"yearly\"} [0-9]");
		}
	}

}
