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
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of the rules of jobs names classes and tests that exist.
 */
class JobRulesTests {

	private static final Path PAGE = MarkdownPage.ROOT.resolve("docs/internals/reliability/jobs.md");

	private static final Pattern ROW = Pattern.compile("(?m)^\\| [^|]+ \\| `(\\w+)` \\| (`\\w+#.+`) \\|$");

	private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");

	private static final int FEWEST = 25;

	@Test
	void classesAndTestsOfTheTableExist() throws IOException {
		List<Path> files = MarkdownPage.files(".java");
		List<MatchResult> rows = ROW.matcher(Files.readString(PAGE)).results().toList();
		assertThat(rows).hasSizeGreaterThan(FEWEST);
		for (MatchResult row : rows) {
			assertThat(sources(files, "main", row.group(1))).as(row.group(1)).hasSize(1);
			for (MatchResult test : TEST.matcher(row.group(2)).results().toList()) {
				assertThat(sources(files, "test", test.group(1))).as(test.group())
					.singleElement()
					.satisfies((file) -> assertThat(Files.readString(file)).contains("\tvoid " + test.group(2) + "("));
			}
		}
	}

	private static List<Path> sources(List<Path> files, String kind, String name) {
		Predicate<Path> isKind = (file) -> file.toString().contains("/src/" + kind + "/java/");
		return files.stream().filter(isKind).filter((file) -> file.endsWith(name + ".java")).toList();
	}

}
