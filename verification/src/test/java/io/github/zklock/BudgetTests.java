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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The module has a budget: new code replaces other code.
 */
class BudgetTests {

	private static final int MOST_LINES = 26_900;

	@Test
	void moduleDoesNotGrow() throws IOException {
		int lines = 0;
		try (Stream<Path> sources = Files.walk(Path.of("src"))) {
			List<Path> files = sources.filter(Files::isRegularFile).toList();
			for (Path file : files) {
				lines += Files.readAllLines(file).size();
			}
		}
		System.out.println("lines: " + lines + " of " + MOST_LINES);
		assertThat(lines).isLessThanOrEqualTo(MOST_LINES);
	}

}
