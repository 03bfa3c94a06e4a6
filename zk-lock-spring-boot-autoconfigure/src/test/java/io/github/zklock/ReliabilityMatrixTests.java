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
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page that lists what can fail: all failures are on it, and the tests that it names
 * exist.
 */
class ReliabilityMatrixTests {

	private static final Path PAGE = Path.of("..", "docs", "reliability", "matrix.md");

	private static final Path SOURCES = Path.of("src", "test", "java");

	private static final Pattern TEST = Pattern.compile("`(\\w+Tests)#(\\w+)`");

	private static final Pattern LINE = Pattern.compile("(?m)^\\| (\\d+)b? \\|.*$");

	private static final int FAILURES = 48;

	@Test
	void testsOnThePageExist() throws IOException {
		Map<String, String> sources = sources();
		List<String> missing = new ArrayList<>();
		for (MatchResult test : TEST.matcher(Files.readString(PAGE)).results().toList()) {
			String source = sources.getOrDefault(test.group(1), "");
			if (!Pattern.compile("(void|ArchRule) " + test.group(2) + "\\(").matcher(source).find()) {
				missing.add(test.group());
			}
		}
		assertThat(missing).as("tests that docs/reliability/matrix.md names and that do not exist").isEmpty();
	}

	@Test
	void everyFailureHasATestOrAReason() throws IOException {
		List<MatchResult> lines = LINE.matcher(Files.readString(PAGE)).results().toList();
		assertThat(lines).allSatisfy((line) -> assertThat(line.group()).containsAnyOf("Tests#", "No test"));
		assertThat(lines.stream().map((line) -> Integer.parseInt(line.group(1))).distinct())
			.containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, FAILURES).boxed().toList());
	}

	private static Map<String, String> sources() throws IOException {
		try (Stream<Path> files = Files.walk(SOURCES)) {
			return files.filter((file) -> file.toString().endsWith("Tests.java"))
				.collect(Collectors.toMap((file) -> file.getFileName().toString().replace(".java", ""),
						reading(Files::readString), (one, other) -> one + other));
		}
	}

	private static Function<Path, String> reading(Reading reading) {
		return (file) -> {
			try {
				return reading.read(file);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		};
	}

	private interface Reading {

		String read(Path file) throws IOException;

	}

}
