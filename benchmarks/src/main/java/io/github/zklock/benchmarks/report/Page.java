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

package io.github.zklock.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;

/**
 * A page in Markdown.
 *
 * @since 0.1.0
 */
public final class Page {

	private final StringBuilder text = new StringBuilder();

	/**
	 * Begin a page.
	 * @param title its title
	 */
	public Page(String title) {
		this.text.append("# ").append(title).append("\n");
	}

	/**
	 * Begin a section.
	 * @param title its title
	 * @return this page
	 */
	public Page section(String title) {
		this.text.append("\n## ").append(title).append("\n");
		return this;
	}

	/**
	 * Add a paragraph.
	 * @param paragraph the text; without any there is no paragraph
	 * @return this page
	 */
	public Page text(String paragraph) {
		if (!paragraph.isBlank()) {
			this.text.append("\n").append(paragraph.strip()).append("\n");
		}
		return this;
	}

	/**
	 * Add a table.
	 * @param header the names of the columns; the first is text, the others are numbers
	 * @param rows the rows
	 * @return this page
	 */
	public Page table(List<String> header, List<List<String>> rows) {
		this.text.append("\n");
		row(header);
		this.text.append("|---|").append(String.join("", Collections.nCopies(header.size() - 1, "--:|"))).append("\n");
		rows.forEach(this::row);
		return this;
	}

	/**
	 * Write the page.
	 * @param file the file, whose directory is created
	 * @throws IOException if that fails
	 */
	public void write(Path file) throws IOException {
		Files.createDirectories(file.toAbsolutePath().getParent());
		Files.writeString(file, this.text);
		System.out.println("Written to " + file);
	}

	private void row(List<String> cells) {
		this.text.append("| ").append(String.join(" | ", cells)).append(" |\n");
	}

}
