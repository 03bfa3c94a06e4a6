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

package io.github.zklock.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of threads in the page about the architecture has each thread that the
 * libraries for applications start by its name.
 */
class ThreadTableTests {

	private static final Pattern NAME = Pattern.compile(
			"(?:DaemonThreads\\.(?:create|start)|daemon)\\(\"(zk-lock-[a-z-]+)\"|\"(zk-lock-[a-z-]*[a-z])\", 0, false\\)");

	@Test
	void everyThreadOfTheSourcesIsInTheTable() throws IOException {
		String table = Files.readString(MarkdownPage.ROOT.resolve("docs/internals/architecture.md"));
		List<String> names = names();
		assertThat(names).contains("zk-lock-body", "zk-lock-diagnosis", "zk-lock-notifications");
		assertThat(names).allSatisfy((name) -> assertThat(table).contains("`" + name + "`"));
	}

	private static List<String> names() throws IOException {
		try (Stream<Path> modules = Files.list(MarkdownPage.ROOT)) {
			return modules.filter((module) -> module.getFileName().toString().startsWith("zk-lock-"))
				.filter((module) -> !module.endsWith("zk-lock-test"))
				.map((module) -> module.resolve("src/main/java"))
				.filter(Files::isDirectory)
				.flatMap(ThreadTableTests::names)
				.distinct()
				.toList();
		}
	}

	private static Stream<String> names(Path sources) {
		try (Stream<Path> files = Files.walk(sources)) {
			return files.filter((file) -> file.toString().endsWith(".java"))
				.flatMap(ThreadTableTests::namesOfFile)
				.toList()
				.stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Stream<String> namesOfFile(Path file) {
		try {
			return NAME.matcher(Files.readString(file))
				.results()
				.map((match) -> (match.group(1) != null) ? match.group(1) : match.group(2));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
