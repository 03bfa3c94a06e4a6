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

package io.github.zklock.sample;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the page of the console asks and is told, over HTTP.
 */
@Tag("server")
class ConsoleTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static SampleNodes nodes;

	private static ConsoleClient page;

	@BeforeAll
	static void start() {
		nodes = SampleNodes.start("--sample.nodes=3");
		page = new ConsoleClient(address(0));
	}

	@AfterAll
	static void stop() {
		page.close();
		nodes.close();
	}

	@Test
	void itTellsWhatThePageHasToKnow() {
		JsonNode info = page.info();
		assertThat(info.get("node").asText()).isEqualTo(nodes.name(0));
		assertThat(info.get("sessionTimeoutMs").asInt()).isEqualTo(6000);
		assertThat(info.get("reportSeconds").asInt()).isEqualTo(1);
		assertThat(info.get("csrf").get("header").asText()).isEqualTo("X-XSRF-TOKEN");
		assertThat(info.get("actions")).extracting((action) -> action.get("id").asText())
			.containsExactlyInAnyOrder("stop", "start", "cut", "mend", "expire", "pause", "staleWrite", "orders",
					"readers", "lostTransfer", "lateCommit", "nodeDies", "pause-report", "resume-report", "run-report",
					"pause-export", "resume-export", "run-export", "pause-reindex", "resume-reindex", "shardDies",
					"yield-indexer");
		assertThat(info.get("actions")).allSatisfy((action) -> {
			assertThat(action.get("label").asText()).isNotEmpty();
			assertThat(action.get("target").asText()).isIn("node", "none", "job:report", "job:export", "job:reindex",
					"role:indexer");
			assertThat(action.get("watch").asText()).endsWith(".");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/console/console.css", "/console/console.js", "/console/vendor/chart.umd.js",
			"/console/info", "/accounts", "/nothing" })
	void aPageMayLoadNothingFromElsewhere(String path) {
		assertThat(nodes.send(1, "GET", path).headers().firstValue("Content-Security-Policy").orElse(""))
			.startsWith("default-src 'none'; script-src 'self'")
			.contains("frame-ancestors 'none'")
			.doesNotContain("unsafe");
	}

	@Test
	void withoutTheTokenNothingIsDone() {
		String stop = "stop?node=" + nodes.name(2);
		String token = page.info().at("/csrf/token").asText();
		List<HttpResponse<String>> refused = new ArrayList<>();
		refused.add(page.act(stop, null));
		refused.add(page.act(stop, "guessed"));
		refused.add(page.act(stop, token, "Origin", "http://elsewhere.example"));
		refused.add(page.act("/console;a=b/actions/" + stop, null));
		refused.add(page.act("/%63onsole/actions/" + stop, null));
		assertThat(refused).extracting(HttpResponse::statusCode).containsOnly(403);
		assertThat(refused).allSatisfy((answer) -> assertThat(answer.headers().firstValue("Content-Type"))
			.hasValue("application/problem+json"));
		assertThat(nodes.node(2).isActive()).isTrue();
	}

	@Test
	void whatCannotBeDoneIsRefused() {
		String token = page.info().at("/csrf/token").asText();
		assertThat(page.act("explode", token).statusCode()).isEqualTo(404);
		assertThat(page.act("stop?node=node-1", token).statusCode()).isEqualTo(404);
		assertThat(page.act("stop", token).statusCode()).isEqualTo(400);
		HttpResponse<String> running = page.act("start?node=" + nodes.name(1), token);
		assertThat(running.statusCode()).isEqualTo(409);
		assertThat(running.body()).contains("\"detail\":\"" + nodes.name(1) + " runs already\"");
		assertThat(page.act("mend?node=" + nodes.name(1), token).statusCode()).isEqualTo(409);
	}

	@Test
	void itTellsTheStateOfAllNodesAndWhoRanWhichTick() {
		try (ConsoleClient another = new ConsoleClient(address(1))) {
			JsonNode first = another.await((state) -> true);
			assertThat(first.get("nodes")).extracting((node) -> node.get("name").asText())
				.containsExactly(nodes.name(0), nodes.name(1), nodes.name(2));
			assertThat(first.get("nodes")).extracting((node) -> node.get("url").asText()).contains(address(1));
			JsonNode told = another
				.await((state) -> state.at("/jobs/0/ticks").size() >= 3 && state.at("/counters/grants").asInt() > 0
						&& lock(state, "report") != null && !lock(state, "report").get("timeline").isEmpty());
			List<Long> ticks = new ArrayList<>();
			told.at("/jobs/0/ticks").forEach((tick) -> ticks.add(tick.get("time").asLong()));
			assertThat(ticks).isSorted().doesNotHaveDuplicates();
			assertThat(told.at("/jobs/0/periodMs").asInt()).isEqualTo(1000);
			assertThat(lock(told, "report").get("timeline")).allSatisfy((span) -> {
				assertThat(span.get("token").asLong()).isPositive();
				assertThat(span.get("to").isNull()).isEqualTo(span.get("end").isNull());
			});
		}
	}

	@Test
	void aPageThatComesLaterIsToldWhatWasDone() {
		int run = page.begin("orders");
		String text = page.awaitOutcome(run).get("text").asText();
		try (ConsoleClient another = new ConsoleClient(address(2))) {
			assertThat(another.awaitOutcome(run).get("text").asText()).isEqualTo(text);
		}
	}

	@Test
	void whoIsInTheQueueIsReadFromZooKeeper() {
		LockOperations first = nodes.node(0).getBean(LockOperations.class);
		first.execute(LockRequest.of("shown").withWait(PATIENCE), (lock) -> {
			JsonNode state = page
				.await((each) -> lock(each, "shown") != null && lock(each, "shown").get("holders").size() == 1);
			JsonNode holder = lock(state, "shown").get("holders").get(0);
			assertThat(holder.get("node").asText()).isEqualTo(nodes.name(0));
			assertThat(holder.get("token").asLong()).isEqualTo(lock.fencingToken());
			return "done";
		});
	}

	@Test
	void whoHasWaitedHoldsTheLockSinceItWasGranted() throws Exception {
		try (HeldLock first = HeldLock.of(nodes, 0, "handed-on")) {
			assertThat(first.token()).isPositive();
			try (HeldLock next = HeldLock.of(nodes, 1, "handed-on")) {
				page.await((state) -> lock(state, "handed-on") != null
						&& lock(state, "handed-on").get("queue").size() == 1);
				long released = System.currentTimeMillis();
				first.close();
				long token = next.token();
				page.await((state) -> lock(state, "handed-on") != null
						&& holds(lock(state, "handed-on"), token, released));
			}
		}
	}

	@Test
	void pagesThatAreGoneLeaveNoThread() {
		for (int i = 0; i < 3; i++) {
			new ConsoleClient(address(1)).close();
		}
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> Thread.getAllStackTraces()
				.keySet()
				.stream()
				.filter((thread) -> thread.getName().equals("console-page"))
				.count() <= 1);
	}

	@Test
	void withoutTheConsoleThereIsNothingOfIt() {
		try (SampleNodes plain = SampleNodes.start("--sample.nodes=1", "--sample.console=false")) {
			for (String path : List.of("/", "/index.html", "/console/info", "/console/events",
					"/console/console.css")) {
				HttpResponse<String> answer = plain.send(0, "GET", path);
				assertThat(answer.statusCode()).isEqualTo(404);
				assertThat(answer.headers().firstValue("Content-Security-Policy")).isEmpty();
			}
			assertThat(plain.send(0, "POST", "/console/actions/orders").statusCode()).isEqualTo(404);
			assertThat(plain.send(0, "GET", "/accounts").statusCode()).isEqualTo(200);
		}
	}

	private static boolean holds(JsonNode lock, long token, long since) {
		return lock.at("/holders/0/token").asLong() == token && lock.at("/holders/0/since").asLong() >= since;
	}

	private static JsonNode lock(JsonNode state, String key) {
		for (JsonNode lock : state.get("locks")) {
			if (lock.get("key").asText().equals(key)) {
				return lock;
			}
		}
		return null;
	}

	private static String address(int index) {
		return "http://localhost:" + nodes.node(index).getEnvironment().getRequiredProperty("local.server.port");
	}

}
