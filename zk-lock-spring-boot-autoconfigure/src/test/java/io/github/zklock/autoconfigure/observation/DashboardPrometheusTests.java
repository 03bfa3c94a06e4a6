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

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockJobs;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.LockTick;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The dashboard and the alerts, as Prometheus understands them. Skipped where Prometheus
 * is not installed; the build that must not skip them looks at that.
 */
@Tag("server")
class DashboardPrometheusTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@TempDir
	Path directory;

	@Test
	void alertsAreValidAndFireWhenTheyShould() throws Exception {
		Path promtool = Prometheus.installed("promtool");
		assertThat(run(promtool, "check", "rules", "alerts.yml")).contains("SUCCESS");
		assertThat(run(promtool, "test", "rules", "alerts-test.yml")).contains("SUCCESS");
	}

	@Test
	void eachExpressionOfTheDashboardHasAValue() throws Exception {
		Prometheus.installed("prometheus");
		// This version of Prometheus refuses the exemplars that a sampled request leaves.
		try (ConfigurableApplicationContext application = ObservedApplication.start(server, WebApplicationType.SERVLET,
				0)) {
			LockTemplate locks = application.getBean(LockTemplate.class);
			locks.execute(
					LockRequest.of("tick").withTick(LockTick.at("Jobs.run", Instant.parse("2024-10-05T10:00:00Z"))),
					(handle) -> null);
			application.getBean(LockJobs.class).run("yearly").get(30, TimeUnit.SECONDS);
			LockHandle held = locks.acquire(List.of(LockRequest.of("held")));
			int port = application.getEnvironment().getRequiredProperty("local.server.port", int.class);
			try (Prometheus prometheus = new Prometheus(this.directory, port, "5s")) {
				// Both of two scrapes must have seen a value before its increase is
				// known.
				List<String> expressions = Prometheus.expressions();
				assertThat(expressions).hasSizeGreaterThan(12);
				expressions.forEach((expression) -> Awaitility.await()
					.ignoreExceptions()
					.atMost(Duration.ofMinutes(3))
					.untilAsserted(() -> assertThat(prometheus.query("query?", expression))
						.as(() -> expression + "; " + prometheus.targets())
						.isNotEmpty()));
			}
			held.release();
		}
	}

	private static String run(Path command, String... arguments) throws Exception {
		List<String> all = new ArrayList<>(List.of(command.toString()));
		all.addAll(List.of(arguments));
		Process process = new ProcessBuilder(all).directory(Prometheus.OPERATIONS.toFile())
			.redirectErrorStream(true)
			.start();
		try (InputStream output = process.getInputStream()) {
			String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
			assertThat(process.waitFor()).as(text).isZero();
			return text;
		}
	}

}
