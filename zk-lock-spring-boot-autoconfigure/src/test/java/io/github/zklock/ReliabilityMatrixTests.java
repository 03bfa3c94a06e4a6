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

package io.github.zklock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.zklock.support.ProjectModules;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The lists of what can fail, what strangers can do and what is promised: all failures
 * are on them, and the tests that they name exist.
 */
class ReliabilityMatrixTests {

	private static final Path PAGE = Path.of("src", "test", "resources", "reliability", "failures.txt");

	private static final Path PROMISES = PAGE.resolveSibling("promises.txt");

	private static final Path SECURITY = Path.of("..", "docs", "internals", "threat-model.md");

	private static final Pattern ROW = Pattern.compile("(?m)^\\| .*\\|$");

	private static final List<Path> SOURCES = ProjectModules.all("src/test/java");

	private static final Pattern TEST = Pattern.compile("`(\\w+Tests)#(\\w+)`");

	private static final Pattern TEST_CLASS = Pattern.compile("`(\\w+Tests)`");

	private static final Pattern LINE = Pattern.compile("(?m)^\\| (\\d+)b? \\|.*$");

	// Later rows may have gaps.
	private static final int FIRST_FAILURES = 50;

	@Test
	void testsOnThePagesExist() throws IOException {
		Map<String, String> sources = sources();
		List<String> missing = new ArrayList<>();
		String text = Files.readString(PAGE) + Files.readString(SECURITY);
		for (MatchResult test : TEST.matcher(text).results().toList()) {
			String source = sources.getOrDefault(test.group(1), "");
			if (!Pattern.compile("(void|ArchRule) " + test.group(2) + "\\(").matcher(source).find()) {
				missing.add(test.group());
			}
		}
		assertThat(missing).as("tests that the pages name and that do not exist").isEmpty();
	}

	@Test
	void everyLineOnStrangersHasATestOrAReason() throws IOException {
		String text = Files.readString(SECURITY);
		String strangers = text.substring(text.indexOf("## By permission"));
		List<MatchResult> rows = ROW.matcher(strangers).results().toList();
		assertThat(rows).hasSizeGreaterThan(20);
		assertThat(rows).filteredOn((row) -> !row.group().startsWith("| **"))
			.allSatisfy((row) -> assertThat(row.group()).containsAnyOf("Tests#", "No test"));
	}

	@Test
	void everyFailureHasATestOrAReason() throws IOException {
		List<MatchResult> lines = LINE.matcher(Files.readString(PAGE)).results().toList();
		assertThat(lines).allSatisfy((line) -> assertThat(line.group()).containsAnyOf("Tests#", "No test"));
		assertThat(lines.stream().map((line) -> Integer.parseInt(line.group(1))).distinct())
			.containsAll(IntStream.rangeClosed(1, FIRST_FAILURES).boxed().toList());
	}

	@Test
	void everyPromiseHasItsTests() throws IOException {
		assertThat(numbers(Path.of("..", "docs", "guarantees.md"))).hasSizeGreaterThan(15).isEqualTo(numbers(PROMISES));
		Map<String, String> sources = sources();
		assertThat(ROW.matcher(Files.readString(PROMISES)).results())
			.filteredOn((row) -> row.group().matches("\\| \\d+ .*"))
			.allSatisfy((row) -> assertThat(TEST_CLASS.matcher(row.group()).results()).isNotEmpty()
				.allSatisfy((test) -> assertThat(sources).containsKey(test.group(1))));
	}

	@Test
	void everyAlertHasStepsInTheRunbook() throws IOException {
		Path operations = Path.of("..", "docs", "operations");
		List<String> alerts = Pattern.compile("- alert: (\\w+)")
			.matcher(Files.readString(operations.resolve("alerts.yml")))
			.results()
			.map((alert) -> "### " + alert.group(1))
			.toList();
		assertThat(alerts).hasSizeGreaterThan(5);
		assertThat(Files.readAllLines(operations.resolve("README.md"))).containsSubsequence(alerts);
	}

	private static List<String> numbers(Path page) throws IOException {
		return Pattern.compile("(?m)^\\| (\\d+) \\|")
			.matcher(Files.readString(page))
			.results()
			.map((row) -> row.group(1))
			.toList();
	}

	private static Map<String, String> sources() throws IOException {
		Map<String, String> sources = new HashMap<>();
		for (Path directory : SOURCES) {
			try (Stream<Path> files = Files.walk(directory)) {
				files.filter((file) -> file.toString().endsWith("Tests.java"))
					.forEach((file) -> sources.merge(file.getFileName().toString().replace(".java", ""), read(file),
							String::concat));
			}
		}
		return sources;
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
