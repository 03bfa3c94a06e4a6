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
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.zklock.support.FreePorts;
import io.github.zklock.support.JavaProcess;
import io.github.zklock.support.ServerProcess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Makes the outage of {@code docs/internals/reliability/outage.md} again and records it
 * in {@code target/outage}: nine minutes, so it is off unless asked for by
 * {@code -Doutage.walkthrough=true}.
 */
@Tag("server")
@EnabledIfSystemProperty(named = "outage.walkthrough", matches = "true", disabledReason = "takes nine minutes")
class OutageWalkthroughTests {

	private static final Path RECORD = Path.of("target/outage").toAbsolutePath();

	private static final int BEFORE = 30;

	private static final int OUTAGE = 60;

	// Until the last alert has ended.
	private static final int AFTER = 400;

	private final HttpClient client = HttpClient.newHttpClient();

	private final int port = FreePorts.next();

	private String lastHealth = "";

	@Test
	void outageOfAMinuteIsRecorded() throws Exception {
		FileSystemUtils.deleteRecursively(RECORD);
		Files.createDirectories(RECORD);
		try (ServerProcess server = new ServerProcess().start();
				JavaProcess application = JavaProcess.start(OutageApplication.class.getName(),
						List.of("server.port=" + this.port, "zk-lock.connect-string=" + server.connectString()),
						properties())) {
			Awaitility.await()
				.atMost(1, TimeUnit.MINUTES)
				.ignoreExceptions()
				.until(() -> get("health").contains("connected"));
			assertThat(application.isAlive()).isTrue();
			try (Prometheus prometheus = new Prometheus(RECORD, this.port, "5s")) {
				Instant start = Instant.now();
				outage(server);
				series(prometheus, start);
			}
		}
		assertThat(linesOfLocks()).satisfiesExactly(
				(line) -> assertThat(line).contains("WARN").contains(" is interrupted, with "),
				(line) -> assertThat(line).contains("WARN").contains("prices() is skipped"),
				(line) -> assertThat(line).contains("ERROR")
					.contains("'report:2026-11' (EXCLUSIVE) named 'reports' with"),
				(line) -> assertThat(line).contains("INFO").contains(" is back after ").contains("lost meanwhile: 1"));
	}

	private static String[] properties() {
		return Stream.of("server.address=127.0.0.1", "spring.main.web-application-type=servlet",
				"spring.main.banner-mode=off", "management.endpoints.web.exposure.include=health,prometheus,zklocks",
				"management.endpoint.health.show-details=always", "management.tracing.sampling.probability=0",
				"logging.config=classpath:logback-boot.xml", "logging.file.name=" + RECORD.resolve("application.log"),
				"spring.autoconfigure.exclude=org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration,"
						+ "org.springframework.boot.autoconfigure.integration.IntegrationAutoConfiguration")
			.map((property) -> "--" + property)
			.toArray(String[]::new);
	}

	private void outage(ServerProcess server) throws Exception {
		ScheduledExecutorService timetable = Executors.newScheduledThreadPool(3);
		try {
			timetable.scheduleAtFixedRate(this::watchHealth, 0, 1, TimeUnit.SECONDS);
			Stream.of(-5, 5, 30, OUTAGE - 2, OUTAGE + 15, OUTAGE + 60)
				.forEach((second) -> timetable.schedule(this::look, BEFORE + second, TimeUnit.SECONDS));
			timetable.schedule(() -> {
				note("the server is killed");
				server.kill();
			}, BEFORE, TimeUnit.SECONDS);
			Future<?> restart = timetable.schedule(() -> {
				note("the server is started");
				server.start();
				note("the server serves");
			}, BEFORE + OUTAGE, TimeUnit.SECONDS);
			timetable.schedule(() -> note("the end"), BEFORE + OUTAGE + AFTER, TimeUnit.SECONDS).get();
			restart.get();
		}
		finally {
			timetable.shutdownNow();
		}
	}

	private void watchHealth() {
		String health = tryGet("health/zkLock");
		String relevant = health.replaceAll("\"leaseLeft\":\"[^\"]*\",?", "");
		if (!relevant.equals(this.lastHealth)) {
			this.lastHealth = relevant;
			note(health);
		}
	}

	private void look() {
		note(tryGet("health"));
		note(tryGet("zklocks").replaceFirst(".*(?=\"heldLocks\")", "{... "));
		note(tryGet("prometheus").lines()
			.filter((line) -> line.startsWith("zk_lock_") && !line.endsWith(" 0.0") && !line.endsWith(" 0"))
			.reduce("", (one, other) -> one + "\n    " + other));
	}

	private void series(Prometheus prometheus, Instant start) throws Exception {
		String range = "query_range?start=%d&end=%d&step=5&".formatted(start.getEpochSecond(),
				Instant.now().getEpochSecond());
		Path file = RECORD.resolve("series.txt");
		for (String expression : Stream.concat(Stream.of("ALERTS"), Prometheus.expressions().stream()).toList()) {
			append(file, expression);
			for (Map<String, Object> series : prometheus.query(range, expression)) {
				append(file, "  " + series.get("metric"));
				changes(file, (List<?>) series.get("values"));
			}
		}
	}

	// Of each run of equal values the first and the last.
	private static void changes(Path file, List<?> values) {
		for (int i = 0; i < values.size(); i++) {
			String value = value(values.get(i));
			if (i == 0 || i == values.size() - 1 || !value.equals(value(values.get(i - 1)))
					|| !value.equals(value(values.get(i + 1)))) {
				long second = ((Number) ((List<?>) values.get(i)).get(0)).longValue();
				append(file, "    " + time(Instant.ofEpochSecond(second)) + " " + value);
			}
		}
	}

	private static String value(Object sample) {
		return ((List<?>) sample).get(1).toString();
	}

	private static LocalTime time(Instant instant) {
		return LocalTime.ofInstant(instant.truncatedTo(ChronoUnit.MILLIS), ZoneId.systemDefault());
	}

	private static List<String> linesOfLocks() throws IOException {
		try (Stream<String> lines = Files.lines(RECORD.resolve("application.log"))) {
			return lines.filter((line) -> line.matches(".* i[.a-z]*\\.z(klock)?\\.[^ ]+ +: .*"))
				.filter((line) -> !line.contains(".OutageApplication ") && !line.contains(".ZooKeeperConnectionWatch "))
				.toList();
		}
	}

	private static void note(String text) {
		append(RECORD.resolve("timeline.txt"), time(Instant.now()) + " " + text);
	}

	private static synchronized void append(Path file, String line) {
		try {
			Files.writeString(file, line + System.lineSeparator(), StandardOpenOption.CREATE,
					StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private String tryGet(String endpoint) {
		try {
			return get(endpoint);
		}
		catch (Exception ex) {
			return ex.toString();
		}
	}

	private String get(String endpoint) throws Exception {
		URI uri = URI.create("http://127.0.0.1:" + this.port + "/actuator/" + endpoint);
		return this.client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
	}

}
