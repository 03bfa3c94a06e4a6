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
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The pages of the documentation hang together: links are alive, tests that are named
 * exist, and the index leads to every page. Links to other sites are looked at only by
 * their syntax.
 */
class DocumentationLinkTests {

	private static final String REWRITE = "zk-lock.docs.rewrite";

	private static final Pattern NAMED_TEST = Pattern.compile("`(\\w+Tests)(?:#\\w+)?`");

	// Tests of Spring Integration, whose cases a page lists.
	private static final Set<String> FOREIGN_TESTS = Set.of("ZkLockRegistryTests", "LockRegistryLeaderInitiatorTests");

	// Beside the files of a repository, where its host shows what is known about their
	// faults.
	private static final Path ADVISORIES = Path.of("..", "..", "security", "advisories");

	private static final int LINES_OF_README = 120;

	@Test
	void linksAreAlive() throws IOException {
		if (Boolean.getBoolean(REWRITE)) {
			followMovedSources();
		}
		List<MarkdownPage> pages = MarkdownPage.all();
		Map<Path, Set<String>> anchors = new HashMap<>();
		pages.forEach((page) -> anchors.put(page.file(), page.anchors()));
		List<String> dead = new ArrayList<>();
		for (MarkdownPage page : pages) {
			for (String link : page.links()) {
				String problem = problem(page, link, anchors);
				if (problem != null) {
					dead.add(page + ": " + link + ": " + problem);
				}
			}
		}
		assertThat(pages).hasSizeGreaterThan(30);
		assertThat(dead)
			.as("dead links; where only a source has moved: mvn -pl zk-lock-spring-boot-autoconfigure -am test "
					+ "-Dtest=DocumentationLinkTests -D" + REWRITE + "=true")
			.isEmpty();
	}

	@Test
	void testsThatAreNamedExist() throws IOException {
		Set<String> tests = Stream
			.concat(MarkdownPage.files("Tests.java").stream(), MarkdownPage.files("Tests.kt").stream())
			.map((file) -> file.getFileName().toString().replaceAll("\\..*", ""))
			.collect(Collectors.toSet());
		tests.addAll(FOREIGN_TESTS);
		for (MarkdownPage page : MarkdownPage.all()) {
			Set<String> missing = NAMED_TEST.matcher(page.text())
				.results()
				.map((name) -> name.group(1))
				.collect(Collectors.toCollection(TreeSet::new));
			missing.removeAll(tests);
			assertThat(missing).as("tests that " + page + " names and that do not exist").isEmpty();
		}
	}

	@Test
	void indexLeadsToEveryPage() throws IOException {
		Map<Path, MarkdownPage> pages = MarkdownPage.all()
			.stream()
			.collect(Collectors.toMap(MarkdownPage::file, (page) -> page));
		Set<Path> reached = new HashSet<>();
		Deque<Path> next = new ArrayDeque<>(List.of(Path.of("docs", "README.md")));
		while (!next.isEmpty()) {
			MarkdownPage page = pages.get(next.pop());
			if (page != null && reached.add(page.file())) {
				page.links().forEach((link) -> next.add(page.resolve(link.replaceAll("#.*", ""))));
			}
		}
		assertThat(pages.keySet()).as("pages to which no other leads").isSubsetOf(reached);
	}

	@Test
	void readmeIsShort() throws IOException {
		List<String> lines = Files.readAllLines(MarkdownPage.ROOT.resolve("README.md"));
		assertThat(lines).hasSizeLessThan(LINES_OF_README);
		assertThat(lines.subList(0, 40)).as("the first lock").anyMatch((line) -> line.contains("@DistributedLock(key"));
	}

	private static String problem(MarkdownPage page, String link, Map<Path, Set<String>> anchors) {
		if (link.matches("[a-z]+:.*")) {
			return isAddress(link) ? null : "no address";
		}
		String path = link.replaceAll("#.*", "");
		Path target = page.resolve(path);
		if (target.equals(ADVISORIES)) {
			return null;
		}
		if (path.startsWith("/") || target.startsWith("..") || !Files.exists(MarkdownPage.ROOT.resolve(target))) {
			return "no such file";
		}
		if (!link.contains("#")) {
			return null;
		}
		String anchor = link.substring(link.indexOf('#') + 1);
		return anchors.getOrDefault(target, Set.of()).contains(anchor) ? null : "no such heading";
	}

	private static boolean isAddress(String link) {
		try {
			URI address = new URI(link);
			return Set.of("http", "https").contains(address.getScheme()) && address.getHost() != null;
		}
		catch (URISyntaxException ex) {
			return false;
		}
	}

	private static void followMovedSources() throws IOException {
		Map<String, List<Path>> sources = Stream
			.concat(MarkdownPage.files(".java").stream(), MarkdownPage.files(".kt").stream())
			.map(MarkdownPage.ROOT::relativize)
			.collect(Collectors.groupingBy((file) -> file.getFileName().toString()));
		for (MarkdownPage page : MarkdownPage.all()) {
			String text = page.text();
			for (String link : page.links()) {
				List<Path> found = sources.getOrDefault(link.replaceAll(".*/", ""), List.of());
				if (found.size() == 1 && !link.contains(":")
						&& !Files.exists(MarkdownPage.ROOT.resolve(page.resolve(link)))) {
					text = text.replace("(" + link + ")", "(" + relative(page, found.get(0)) + ")");
				}
			}
			Files.writeString(MarkdownPage.ROOT.resolve(page.file()), text);
		}
	}

	private static String relative(MarkdownPage page, Path file) {
		Path directory = page.file().toAbsolutePath().getParent();
		return directory.relativize(file.toAbsolutePath()).toString();
	}

}
