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
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The workflows run only what was read: a tag of an action can be moved, a commit cannot.
 */
class WorkflowTests {

	private static final Path WORKFLOWS = MarkdownPage.ROOT.resolve(".github/workflows");

	@ParameterizedTest
	@MethodSource("workflows")
	void actionsAreCommitsWithTheirVersionBesideThem(Path workflow) throws IOException {
		List<String> actions = Files.readAllLines(workflow).stream().filter((line) -> line.contains("uses:")).toList();
		assertThat(actions).isNotEmpty()
			.allSatisfy(
					(line) -> assertThat(line).matches(" *(- )?uses: [\\w./-]+@[0-9a-f]{40} # v\\d+\\.\\d+\\.\\d+"));
	}

	@ParameterizedTest
	@MethodSource("workflows")
	void permissionsAreGrantedJobByJob(Path workflow) throws IOException {
		assertThat(Files.readString(workflow)).contains("\npermissions:\n  contents: read\n\n");
	}

	static List<Path> workflows() throws IOException {
		try (Stream<Path> files = Files.list(WORKFLOWS)) {
			return files.sorted().toList();
		}
	}

}
