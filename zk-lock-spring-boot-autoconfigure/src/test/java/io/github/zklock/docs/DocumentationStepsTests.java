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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The first steps of the README, which the build tries, and of the pages that repeat
 * them.
 */
class DocumentationStepsTests {

	@Test
	void gettingStartedHasEveryBlockOfTheFirstStepsOfTheReadme() throws IOException {
		String readme = Files.readString(MarkdownPage.ROOT.resolve("README.md"));
		String steps = readme.substring(readme.indexOf("## Your first lock"),
				readme.indexOf("## What you can rely on"));
		assertThat(blocks(steps)).hasSize(2);
		assertThat(blocks(Files.readString(MarkdownPage.ROOT.resolve("docs/getting-started.md"))))
			.containsAll(blocks(steps));
	}

	@Test
	void levelsOfTheLogOfTheClientAreSetWhereTheServersAreNamed() throws IOException {
		String page = Files.readString(MarkdownPage.ROOT.resolve("docs/getting-started.md"));
		String servers = page.substring(page.indexOf("## Three servers"), page.indexOf("## What an application"));
		List<String> lines = new MarkdownPage(Path.of(""), servers).blocks("yaml")
			.stream()
			.flatMap((block) -> block.code().lines())
			.map(String::strip)
			.toList();
		assertThat(lines).contains("connect-string: zk1:2181,zk2:2181,zk3:2181", "logging.level:",
				"org.apache.zookeeper: ERROR", "org.apache.curator: WARN");
	}

	@Test
	void chineseReadmeHasEveryBlockOfTheReadme() throws IOException {
		List<String> readme = blocks(Files.readString(MarkdownPage.ROOT.resolve("README.md")));
		assertThat(readme).hasSize(3);
		assertThat(blocks(Files.readString(MarkdownPage.ROOT.resolve("README.zh.md"))))
			.containsExactlyInAnyOrderElementsOf(readme);
	}

	private static List<String> blocks(String text) {
		return new MarkdownPage(Path.of(""), text).blocks("xml", "properties", "java")
			.stream()
			.map(MarkdownPage.Block::code)
			.toList();
	}

}
