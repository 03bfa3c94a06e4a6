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

/**
 * What a simulated ensemble was asked for, in tables and pictures.
 */
final class ScalePage {

	private static final double ROUNDED = 0.01;

	private static final double LEAST = 0.0005;

	private final StringBuilder text = new StringBuilder();

	private final Path directory;

	ScalePage(Path directory) {
		this.directory = directory;
	}

	/**
	 * Write a table below the earlier ones.
	 * @param lines a header, and the rows
	 */
	void table(String name, List<List<String>> lines) throws IOException {
		StringBuilder table = new StringBuilder(name).append("\n\n");
		for (int i = 0; i < lines.size(); i++) {
			table.append("| ").append(String.join(" | ", lines.get(i))).append(" |\n");
			if (i == 0) {
				table.append("|---|").append("--:|".repeat(lines.get(0).size() - 1)).append('\n');
			}
		}
		System.out.println(table);
		this.text.append(table).append('\n');
		Files.writeString(this.directory.resolve("scale.md"), this.text);
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
