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

import java.time.Duration;

import com.fasterxml.jackson.databind.JsonNode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the whole application around an embedded ZooKeeper server.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class SampleApplicationTests {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	@Test
	void everyTickRunsOnOneNodeAndTheOthersGoOnWhenANodeIsStopped() {
		try (SampleNodes nodes = SampleNodes.start("--sample.nodes=3")) {
			awaitMoreTicks(nodes, 10);
			String stopped = nodes.name(2);
			nodes.node(2).close();
			int runsOfStopped = nodes.reportsOf(stopped);
			awaitMoreTicks(nodes, 4);
			assertThat(nodes.reports().values()).containsOnly(1);
			assertThat(nodes.reportsOf(stopped)).isEqualTo(runsOfStopped);
		}
	}

	@Test
	void aNodeThatHangsWhileAnotherTakesItsJobOverIsRefusedItsWrite(CapturedOutput console) {
		try (SampleNodes nodes = SampleNodes.start("--sample.nodes=3", "--sample.accident=true",
				"--sample.stock-take-delay=6s");
				ConsoleClient page = new ConsoleClient(
						"http://localhost:" + nodes.name(0).substring("node-".length()))) {
			Awaitility.await()
				.atMost(PATIENCE)
				.until(() -> console.getOut().contains("refused: the token is old")
						&& console.getOut().contains("step 8 of 8"));
			String heir = speaker(console, "takes over after step 3");
			String victim = speaker(console, "ACCIDENT, on purpose");
			JsonNode announced = page.awaitOutcome(0);
			assertThat(announced.get("action").asText()).isEqualTo("accident");
			assertThat(announced.get("node").asText()).isEqualTo(victim);
			assertThat(heir).isNotEqualTo(victim);
			assertThat(speaker(console, "step 4 refused: the token is old")).isEqualTo(victim);
			assertThat(token(console, "step 4 refused")).isLessThan(token(console, "takes over after step 3"));
			assertThat(console.getOut().lines().filter((line) -> line.contains("step 4 of 8"))).hasSize(1);
			assertThat(nodes.jdbc()
				.sql("select node from stock_take where step = 8 order by slot")
				.query(String.class)
				.list()).startsWith(heir);
		}
	}

	private static void awaitMoreTicks(SampleNodes nodes, int ticks) {
		int before = nodes.reports().size();
		Awaitility.await().atMost(PATIENCE).until(() -> nodes.reports().size() >= before + ticks);
	}

	private static String speaker(CapturedOutput console, String event) {
		return line(console, event).replaceAll(".* (node-\\d+) .*", "$1");
	}

	private static long token(CapturedOutput console, String event) {
		return Long.parseLong(line(console, event).replaceAll(".* token (\\d+)$", "$1"));
	}

	private static String line(CapturedOutput console, String event) {
		return console.getOut().lines().filter((line) -> line.contains(event)).findFirst().orElseThrow();
	}

}
