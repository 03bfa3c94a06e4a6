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
import java.util.Map;
import java.util.TreeMap;

/**
 * The page with a line for each mutant: what was found by the last hunt of it.
 */
final class MutantTable {

	static final String NOT_FOUND = "**not found**";

	private static final String BEGIN = "<!-- What follows is written by MutantTests. -->\n";

	private static final String HEAD = """

			| rule | mutant | kind of schedules | schedules until found | seed | seconds | broken |
			|---|---|---|---:|---:|---:|---|
			""";

	private MutantTable() {
	}

	/**
	 * Write the lines of some hunts. Those of the other mutants stay as they are.
	 * @param page the page
	 * @param hunts of some mutants
	 * @param all the mutants that there are
	 */
	static void write(Path page, List<MutantHunt> hunts, List<Mutant> all) throws IOException {
		String text = Files.readString(page);
		int begin = text.indexOf(BEGIN) + BEGIN.length();
		Map<String, String> lines = new TreeMap<>();
		text.substring(begin)
			.lines()
			.filter((line) -> line.contains("| `"))
			.forEach((line) -> lines.put(nameIn(line), line));
		hunts.forEach((hunt) -> lines.put(hunt.mutant().name(), hunt.line()));
		lines.keySet().retainAll(all.stream().map(Mutant::name).toList());
		long found = lines.values().stream().filter((line) -> !line.contains(NOT_FOUND)).count();
		Files.writeString(page, text.substring(0, begin) + HEAD + String.join("\n", lines.values())
				+ "\n\n%d of %d found.\n".formatted(found, lines.size()));
	}

	private static String nameIn(String line) {
		return line.split("`")[1];
	}

}
