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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Why a target is not met: written manually on the page, and kept when the page is
 * written again. Each is a paragraph that begins with the title of its target in bold.
 *
 * @since 0.1.0
 */
public final class Reasons {

	/**
	 * The title of the section they stand in.
	 */
	public static final String SECTION = "What is not met, and why";

	static final String NONE = "not explained yet.";

	private static final Pattern REASON = Pattern.compile("\\*\\*(.+?)\\*\\*: (.*)", Pattern.DOTALL);

	private final Map<String, String> byTitle = new LinkedHashMap<>();

	private Reasons() {
	}

	/**
	 * Read what the page says so far.
	 * @param page the file, which need not exist
	 * @return the reasons
	 * @throws IOException if it cannot be read
	 */
	public static Reasons of(Path page) throws IOException {
		Reasons reasons = new Reasons();
		String text = Files.exists(page) ? Files.readString(page) : "";
		int start = text.indexOf("\n## " + SECTION + "\n");
		if (start >= 0) {
			int end = text.indexOf("\n## ", start + 1);
			for (String paragraph : text.substring(start, (end >= 0) ? end : text.length()).split("\n\n")) {
				Matcher matcher = REASON.matcher(paragraph.strip());
				if (matcher.matches()) {
					reasons.byTitle.put(matcher.group(1), matcher.group(2));
				}
			}
		}
		return reasons;
	}

	/**
	 * Return why a target is not met.
	 * @param title the title of the target
	 * @return a paragraph
	 */
	public String paragraph(String title) {
		return "**" + title + "**: " + this.byTitle.getOrDefault(title, NONE);
	}

}
