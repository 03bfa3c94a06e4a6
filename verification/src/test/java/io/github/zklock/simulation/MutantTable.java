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

package io.github.zklock.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A table with a line for each mutant that was hunted.
 */
final class MutantTable {

	static final String NOT_FOUND = "**not found**";

	private static final String HEAD = """
			| rule | mutant | kind of schedules | schedules until found | seed | seconds | broken |
			|---|---|---|---:|---:|---:|---|
			""";

	private MutantTable() {
	}

	/**
	 * Write the lines of some hunts.
	 * @param directory where to write them
	 * @param hunts the hunts
	 */
	static void write(Path directory, List<MutantHunt> hunts) throws IOException {
		List<String> lines = hunts.stream().map(MutantHunt::line).toList();
		long found = hunts.stream().filter(MutantHunt::isFound).count();
		Files.createDirectories(directory);
		Files.writeString(directory.resolve("mutants.md"),
				HEAD + String.join("\n", lines) + "\n\n%d of %d found.\n".formatted(found, lines.size()));
	}

}
