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
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.zklock.support.ProjectModules;

/**
 * A page of the documentation: its blocks of code, its headings and its links.
 *
 * @param file the file, seen from the root of the project
 * @param text its text
 */
public record MarkdownPage(Path file, String text) {

	/** The root of the project, seen from the directory in which the tests run. */
	public static final Path ROOT = ProjectModules.ROOT;

	private static final Set<String> NO_SOURCES = Set.of("target", ".git", ".github", "node_modules");

	private static final Pattern BLOCK = Pattern.compile("(?ms)^( *)```(\\w*)[^\\n`]*\\n(.*?)^\\1```$");

	private static final Pattern CODE = Pattern.compile("(`+)(?!`).*?(?<!`)\\1(?!`)");

	private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*?) *#*$");

	private static final Pattern LINK = Pattern.compile("\\]\\(\\s*<?([^\\s)>]*)>?(?:\\s+\"[^\"]*\")?\\s*\\)");

	private static final Pattern DEFINITION = Pattern.compile("(?m)^ {0,3}\\[[^\\]]+\\]: *(\\S+)");

	private static final Pattern HTML = Pattern.compile("(?:href|src|srcset)=\"([^\"]*)\"");

	/**
	 * Return all pages of the project.
	 * @return the pages, in the order of their files
	 * @throws IOException if a page cannot be read
	 */
	public static List<MarkdownPage> all() throws IOException {
		List<MarkdownPage> pages = new ArrayList<>();
		for (Path file : files(".md")) {
			pages.add(new MarkdownPage(ROOT.relativize(file), Files.readString(file)));
		}
		return pages;
	}

	/**
	 * Return the files of the project whose name has an ending.
	 * @param ending how the names end
	 * @return the files, in order
	 * @throws IOException if a directory cannot be read
	 */
	public static List<Path> files(String ending) throws IOException {
		List<Path> files = new ArrayList<>();
		Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {

			@Override
			public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
				return NO_SOURCES.contains(directory.getFileName().toString()) ? FileVisitResult.SKIP_SUBTREE
						: FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
				if (file.getFileName().toString().endsWith(ending)) {
					files.add(file);
				}
				return FileVisitResult.CONTINUE;
			}

		});
		return files.stream().sorted().toList();
	}

	/**
	 * Return the blocks of code in some languages.
	 * @param languages the languages
	 * @return the blocks
	 */
	public List<Block> blocks(String... languages) {
		return BLOCK.matcher(this.text)
			.results()
			.filter((block) -> List.of(languages).contains(block.group(2)))
			.map((block) -> new Block(block.group(2), block.group(3).replaceAll("(?m)^" + block.group(1), "")))
			.toList();
	}

	/**
	 * Return what links lead to, images included.
	 * @return the targets, as they are written
	 */
	public Set<String> links() {
		String prose = CODE.matcher(withoutBlocks()).replaceAll("");
		Set<String> links = new LinkedHashSet<>();
		Stream.of(LINK, DEFINITION, HTML)
			.forEach((pattern) -> pattern.matcher(prose).results().map((link) -> link.group(1)).forEach(links::add));
		return links;
	}

	/**
	 * Return the anchors of the headings, as GitHub names them.
	 * @return the anchors
	 */
	public Set<String> anchors() {
		Map<String, Integer> seen = new HashMap<>();
		Set<String> anchors = new LinkedHashSet<>();
		HEADING.matcher(withoutBlocks()).results().map(MarkdownPage::anchor).forEach((anchor) -> {
			int before = seen.merge(anchor, 1, Integer::sum) - 1;
			anchors.add((before == 0) ? anchor : anchor + "-" + before);
		});
		return anchors;
	}

	/**
	 * Return the file to which a relative link leads.
	 * @param path the path of the link, without an anchor
	 * @return the file, seen from the root of the project
	 */
	public Path resolve(String path) {
		return path.isEmpty() ? this.file : this.file.resolveSibling(path).normalize();
	}

	private String withoutBlocks() {
		return BLOCK.matcher(this.text).replaceAll("");
	}

	private static String anchor(MatchResult heading) {
		String text = heading.group(1).replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1").replaceAll("<[^>]*>", "");
		return text.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}\\p{M}_ -]", "").replace(' ', '-');
	}

	@Override
	public String toString() {
		return this.file.toString();
	}

	/**
	 * A block of code.
	 *
	 * @param language the language that it names, or nothing
	 * @param code the code, without the indentation of the list in which it is
	 */
	public record Block(String language, String code) {
	}

}
