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
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The page on scale. Its tables stand between two comments each and are written anew; its
 * text is written by hand.
 */
final class ScalePage {

	private static final double ROUNDED = 0.01;

	private static final double LEAST = 0.0005;

	private final Path directory;

	ScalePage(Path directory) {
		this.directory = directory;
	}

	/**
	 * Write a table in place of the one of that name.
	 * @param lines a header, and the rows
	 */
	void table(String name, List<List<String>> lines) throws IOException {
		StringBuilder table = new StringBuilder();
		for (int i = 0; i < lines.size(); i++) {
			table.append("| ").append(String.join(" | ", lines.get(i))).append(" |\n");
			if (i == 0) {
				table.append("|---|").append("--:|".repeat(lines.get(0).size() - 1)).append('\n');
			}
		}
		System.out.println(name + "\n" + table);
		Path file = this.directory.resolve("scale.md");
		String begin = "<!-- " + name + " -->\n";
		String end = "<!-- end of " + name + " -->";
		String page = Files.readString(file);
		if (!page.contains(begin) || !page.contains(end)) {
			throw new IllegalStateException("The page has no place for " + name);
		}
		Files.writeString(file,
				Pattern.compile(Pattern.quote(begin) + ".*?" + Pattern.quote(end), Pattern.DOTALL)
					.matcher(page)
					.replaceFirst((found) -> Matcher.quoteReplacement(begin + "\n" + table + "\n" + end)));
	}

	void picture(String name, Curves curves) throws IOException {
		curves.write(this.directory.resolve("scale_" + name + ".svg"));
	}

	/**
	 * Return a number as people read it: as many digits as it needs.
	 */
	static String number(double value) {
		if (value >= 100 || Math.abs(value - Math.rint(value)) <= ROUNDED * value) {
			return String.format(Locale.ROOT, "%,.0f", value);
		}
		String digits = (value >= 0.1) ? "%.2f" : "%.3f";
		return (value < LEAST) ? "0" : String.format(Locale.ROOT, (value >= 10) ? "%.1f" : digits, value);
	}

}
