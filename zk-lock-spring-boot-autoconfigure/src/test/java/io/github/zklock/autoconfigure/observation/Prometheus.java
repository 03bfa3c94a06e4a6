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
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.zklock.support.FreePorts;

import org.springframework.boot.json.JsonParserFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * A real Prometheus that scrapes one application. What needs it is skipped where it is
 * not installed.
 */
final class Prometheus implements AutoCloseable {

	static final Path OPERATIONS = Path.of("../docs/operations").toAbsolutePath().normalize();

	private final HttpClient client = HttpClient.newHttpClient();

	private final int port = FreePorts.next();

	private final Process process;

	/**
	 * Start it.
	 * @param directory where it keeps its files
	 * @param target the port of the application
	 * @param interval the time between two scrapes, and between two looks at the alerts
	 */
	Prometheus(Path directory, int target, String interval) throws IOException {
		Path configuration = directory.resolve("prometheus.yml");
		Files.writeString(configuration, """
				global:
				  scrape_interval: %1$s
				  scrape_timeout: %1$s
				  evaluation_interval: %1$s
				rule_files: ["%2$s"]
				scrape_configs:
				  - job_name: app
				    metrics_path: /actuator/prometheus
				    static_configs:
				      - targets: ["127.0.0.1:%3$s"]
				""".formatted(interval, OPERATIONS.resolve("alerts.yml"), target));
		this.process = new ProcessBuilder(installed("prometheus").toString(), "--config.file=" + configuration,
				"--storage.tsdb.path=" + directory.resolve("data"), "--web.listen-address=127.0.0.1:" + this.port)
			.redirectErrorStream(true)
			.redirectOutput(directory.resolve("prometheus.log").toFile())
			.start();
	}

	static Path installed(String command) {
		for (String directory : System.getenv("PATH").split(":")) {
			Path path = Path.of(directory, command);
			if (Files.isExecutable(path)) {
				return path;
			}
		}
		assumeTrue(false, () -> command + " is not installed");
		throw new AssertionError();
	}

	/**
	 * Return the expressions of the dashboard, for all jobs and names.
	 */
	@SuppressWarnings("unchecked")
	static List<String> expressions() throws IOException {
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

	/**
	 * Return what it says of an expression.
	 * @param query how to ask, like {@code query?}
	 * @param expression the expression
	 */
	@SuppressWarnings("unchecked")
	List<Map<String, Object>> query(String query, String expression) throws Exception {
		String answer = get(query + "query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
		Map<String, Object> parsed = JsonParserFactory.getJsonParser().parseMap(answer);
		assertThat(parsed).as(answer).containsEntry("status", "success");
		return (List<Map<String, Object>>) ((Map<String, Object>) parsed.get("data")).get("result");
	}

	/**
	 * Return what it scrapes, and with what success.
	 */
	String targets() {
		try {
			return get("targets");
		}
		catch (Exception ex) {
			return ex.toString();
		}
	}

	private String get(String path) throws Exception {
		URI uri = URI.create("http://127.0.0.1:" + this.port + "/api/v1/" + path);
		return this.client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
		this.process.onExit().join();
	}

}
