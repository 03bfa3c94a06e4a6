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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The drawn pictures of the documentation are readable, on a dark page and aloud, and
 * have the order of the contract.
 */
class DocumentationPicturesTests {

	private static final Path PICTURES = MarkdownPage.ROOT.resolve("docs/images");

	private static final String CONTRACT = "docs/internals/annotation-contract.md";

	private static final String DARK = "#1a1a1a";

	@ParameterizedTest
	@MethodSource("pictures")
	void pictureIsReadable(Path picture) throws Exception {
		Element svg = read(picture.getFileName().toString());
		assertThat(svg.getAttribute("role")).isEqualTo("img");
		assertThat(elements(svg, "title")).hasSize(1);
		assertThat(elements(svg, "desc")).hasSize(1);
		Element background = elements(svg, "rect").get(0);
		assertThat(background.getAttribute("fill")).isEqualTo("#ffffff");
		assertThat(background.getAttribute("width")).isEqualTo(svg.getAttribute("width"));
		assertThat(background.getAttribute("height")).isEqualTo(svg.getAttribute("height"));
		assertThat(elements(svg, "text")).isNotEmpty().allMatch((text) -> inherited(text, "fill").equals(DARK));
	}

	@ParameterizedTest
	@MethodSource("pictures")
	void pageShowsThePictureWithAText(Path picture) throws IOException {
		assertThat(MarkdownPage.all()).anyMatch(
				(page) -> page.text().matches("(?s).*!\\[[^\\]]{20,}\\]\\(images/" + picture.getFileName() + "\\).*"));
	}

	@Test
	void annotationsAreNestedAsInTheContract() throws Exception {
		Element svg = read("order.svg");
		List<Element> boxes = elements(svg, "rect");
		for (int i = 1; i < boxes.size(); i++) {
			assertThat(isInside(boxes.get(i), boxes.get(i - 1))).as("box %d is inside the one before", i).isTrue();
		}
		assertThat(bold(svg)).containsExactly("@Async, Spring Framework's @Retryable", "@DistributedLock", "@Fenced",
				"@Transactional, @Cacheable");
		assertThat(row("with `@Fenced` and `@Transactional`"))
			.isEqualTo("lock `account` → fence raised → begin → **method** → commit → unlock");
		assertThat(elements(svg, "desc").get(0).getTextContent()).contains(
				"a call acquires the lock, raises the fence, begins, runs the method, commits and releases the lock");
		assertThat(row("with `@Async`")).startsWith("lock `async` (other thread)");
		assertThat(row("with `@Retryable` of Spring Framework 7, first try fails")).containsSubsequence("lock",
				"unlock", "lock", "unlock");
		assertThat(row("with `@Cacheable`, called twice")).endsWith("unlock → lock `cached` → unlock");
	}

	@Test
	void lateHolderRaisesFirstAndChecksLast() throws Exception {
		assertThat(row("the same, and a later holder begins before the commit"))
			.isEqualTo("lock `account` → fence raised → begin → **method** → rollback → unlock");
		Element svg = read("fence.svg");
		assertThat(lane(svg, 71)).containsExactly("raise 33", "begin, write", "lock held", "paused", "check",
				"rolled back");
		assertThat(lane(svg, 139)).containsExactly("raise 34", "begin, write", "check", "commit");
		assertThat(x(svg, "raise 33")).isLessThan(x(svg, "raise 34"));
		assertThat(x(svg, "raise 34")).isLessThan(x(svg, "rolled back"));
	}

	static List<Path> pictures() throws IOException {
		try (Stream<Path> files = Files.list(PICTURES)) {
			return files.filter((file) -> file.toString().endsWith(".svg")).sorted().toList();
		}
	}

	private static Element read(String picture) throws Exception {
		return DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(PICTURES.resolve(picture).toFile())
			.getDocumentElement();
	}

	private static List<Element> elements(Element svg, String name) {
		NodeList found = svg.getElementsByTagName(name);
		List<Element> elements = new ArrayList<>();
		for (int i = 0; i < found.getLength(); i++) {
			elements.add((Element) found.item(i));
		}
		return elements;
	}

	private static String inherited(Element element, String attribute) {
		for (Node node = element; node instanceof Element parent; node = node.getParentNode()) {
			if (parent.hasAttribute(attribute)) {
				return parent.getAttribute(attribute);
			}
		}
		return "";
	}

	private static List<String> bold(Element svg) {
		return elements(svg, "text").stream()
			.filter((text) -> inherited(text, "font-weight").equals("bold"))
			.sorted(Comparator.comparingInt((text) -> number(text, "y")))
			.map(Element::getTextContent)
			.toList();
	}

	private static List<String> lane(Element svg, int y) {
		return elements(svg, "text").stream()
			.filter((text) -> number(text, "y") == y)
			.sorted(Comparator.comparingInt((text) -> number(text, "x")))
			.map(Element::getTextContent)
			.toList();
	}

	private static int x(Element svg, String text) {
		return elements(svg, "text").stream()
			.filter((element) -> element.getTextContent().equals(text))
			.mapToInt((element) -> number(element, "x"))
			.findFirst()
			.orElseThrow();
	}

	private static boolean isInside(Element inner, Element outer) {
		return number(inner, "x") >= number(outer, "x") && number(inner, "y") >= number(outer, "y")
				&& number(inner, "x") + number(inner, "width") <= number(outer, "x") + number(outer, "width")
				&& number(inner, "y") + number(inner, "height") <= number(outer, "y") + number(outer, "height");
	}

	// The background has no place.
	private static int number(Element element, String attribute) {
		String value = element.getAttribute(attribute);
		return value.isEmpty() ? 0 : Integer.parseInt(value);
	}

	private static String row(String what) throws IOException {
		String start = "| " + what + " | ";
		String line = Files.readAllLines(MarkdownPage.ROOT.resolve(CONTRACT))
			.stream()
			.filter((each) -> each.startsWith(start))
			.findFirst()
			.orElseThrow();
		return line.substring(start.length(), line.indexOf(" | ", start.length()));
	}

}
