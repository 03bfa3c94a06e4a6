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

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.LockTick;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.test.InstanceSpec;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The dashboard and the alerts, as Prometheus understands them. Skipped where Prometheus
 * is not installed; the build that must not skip them looks at that.
 */
class DashboardPrometheusTests {

	private static final Path OPERATIONS = Path.of("../docs/operations").toAbsolutePath().normalize();

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@TempDir
	Path directory;

	@Test
	void alertsAreValidAndFireWhenTheyShould() throws Exception {
		Path promtool = installed("promtool");
		assertThat(run(promtool, "check", "rules", "alerts.yml")).contains("SUCCESS");
		assertThat(run(promtool, "test", "rules", "alerts-test.yml")).contains("SUCCESS");
	}

	@Test
	void eachExpressionOfTheDashboardHasAValue() throws Exception {
		Path prometheus = installed("prometheus");
		// This version of Prometheus refuses the exemplars that a sampled request leaves.
		try (ConfigurableApplicationContext application = ObservedApplication.start(server, WebApplicationType.SERVLET,
				0)) {
			LockTemplate locks = application.getBean(LockTemplate.class);
			locks.execute(
					LockRequest.of("tick").withTick(LockTick.at("Jobs.run", Instant.parse("2024-10-05T10:00:00Z"))),
					(handle) -> null);
			LockHandle held = locks.acquire(List.of(LockRequest.of("held")));
			int port = InstanceSpec.getRandomPort();
			Process process = start(prometheus, port, application.getEnvironment().getProperty("local.server.port"));
			try {
				// Both of two scrapes must have seen a value before its increase is
				// known.
				List<String> expressions = expressions();
				assertThat(expressions).hasSizeGreaterThan(12);
				expressions.forEach((expression) -> Awaitility.await()
					.ignoreExceptions()
					.atMost(Duration.ofSeconds(60))
					.untilAsserted(() -> assertThat(query(port, expression)).as(() -> expression + "; " + targets(port))
						.isNotEmpty()));
			}
			finally {
				process.destroyForcibly().waitFor();
			}
			held.release();
		}
	}

	private Process start(Path prometheus, int port, String target) throws IOException {
		Path configuration = this.directory.resolve("prometheus.yml");
		Files.writeString(configuration, """
				global:
				  scrape_interval: 2s
				  scrape_timeout: 2s
				scrape_configs:
				  - job_name: app
				    metrics_path: /actuator/prometheus
				    static_configs:
				      - targets: ["127.0.0.1:%s"]
				""".formatted(target));
		return new ProcessBuilder(prometheus.toString(), "--config.file=" + configuration,
				"--storage.tsdb.path=" + this.directory.resolve("data"), "--web.listen-address=127.0.0.1:" + port)
			.redirectErrorStream(true)
			.redirectOutput(this.directory.resolve("prometheus.log").toFile())
			.start();
	}

	@SuppressWarnings("unchecked")
	private static List<String> expressions() throws IOException {
		Map<String, Object> dashboard = JsonParserFactory.getJsonParser()
			.parseMap(Files.readString(OPERATIONS.resolve("grafana-dashboard.json")));
		List<String> expressions = new ArrayList<>();
		for (Map<String, Object> panel : (List<Map<String, Object>>) dashboard.get("panels")) {
			for (Map<String, Object> target : (List<Map<String, Object>>) panel.get("targets")) {
				expressions.add(target.get("expr")
					.toString()
					.replace("$__rate_interval", "1m")
					.replace("$job", ".*")
					.replace("$name", ".*"));
			}
		}
		assertThat(expressions).noneMatch((expression) -> expression.contains("$"));
		return expressions;
	}

	@SuppressWarnings("unchecked")
	private static List<Object> query(int port, String expression) throws Exception {
		String answer = get(port, "query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
		Map<String, Object> parsed = JsonParserFactory.getJsonParser().parseMap(answer);
		assertThat(parsed).as(answer).containsEntry("status", "success");
		return (List<Object>) ((Map<String, Object>) parsed.get("data")).get("result");
	}

	private static String targets(int port) {
		try {
			return get(port, "targets");
		}
		catch (Exception ex) {
			return ex.toString();
		}
	}

	private static String get(int port, String path) throws Exception {
		URI uri = URI.create("http://127.0.0.1:" + port + "/api/v1/" + path);
		return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
	}

	private static String run(Path command, String... arguments) throws Exception {
		List<String> all = new ArrayList<>(List.of(command.toString()));
		all.addAll(List.of(arguments));
		Process process = new ProcessBuilder(all).directory(OPERATIONS.toFile()).redirectErrorStream(true).start();
		try (InputStream output = process.getInputStream()) {
			String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
			assertThat(process.waitFor()).as(text).isZero();
			return text;
		}
	}

	private static Path installed(String command) {
		for (String directory : System.getenv("PATH").split(":")) {
			Path path = Path.of(directory, command);
			if (Files.isExecutable(path)) {
				return path;
			}
		}
		assumeTrue(false, () -> command + " is not installed");
		throw new AssertionError();
	}

}
