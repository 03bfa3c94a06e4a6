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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.zklock.support.ProjectModules;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The code of {@code docs/libraries.md} is pieces of what the tests of both lines run.
 */
class LibrariesPageTests {

	private static final Pattern SNIPPET = Pattern.compile("(?ms)^```java\\n(.*?)^```$");

	@Test
	void everySnippetOfThePageIsAPieceOfWhatRuns() throws IOException {
		List<String> sources = Stream.of("libraries", "libraries-boot4")
			.map(ProjectModules.ROOT::resolve)
			.flatMap(LibrariesPageTests::files)
			.map((file) -> plain(read(file)))
			.toList();
		List<String> snippets = SNIPPET.matcher(read(ProjectModules.ROOT.resolve("docs/libraries.md")))
			.results()
			.map((snippet) -> snippet.group(1))
			.toList();
		assertThat(snippets).hasSizeGreaterThan(5)
			.allSatisfy((snippet) -> assertThat(sources).as(snippet)
				.anySatisfy((source) -> assertThat(source.contains(plain(snippet))).isTrue()));
	}

	private static Stream<Path> files(Path module) {
		try (Stream<Path> files = Files.walk(module.resolve("src"))) {
			return files.filter((file) -> file.toString().endsWith(".java")).toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String plain(String code) {
		return code.lines()
			.map(String::strip)
			.filter((line) -> !line.isEmpty())
			.collect(Collectors.joining("\n", "", "\n"));
	}

}
