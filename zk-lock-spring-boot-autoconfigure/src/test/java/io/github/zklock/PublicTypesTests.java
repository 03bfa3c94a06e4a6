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
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.zklock.docs.MarkdownPage;
import io.github.zklock.support.ProjectModules;
import io.github.zklock.support.PromisedSignatures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The public API: the public top-level types outside internal packages. A release
 * promises each of them.
 */
class PublicTypesTests {

	private static final Pattern PUBLIC = Pattern
		.compile("(?m)^public (?:\\w+ )*(?:class|interface|record|enum|@interface) \\w");

	private static final Pattern EXCLUDED = Pattern.compile("<exclude>(io\\.github\\.zklock\\.[a-z\\d.]+)</exclude>");

	private static final Pattern LEFT_OUT = Pattern.compile("<excludePackageNames>([^<]+)<");

	private static final Pattern IMPORTED = Pattern
		.compile("(?m)^import (?:static )?(io\\.github\\.zklock[a-z.\\d]*)\\.[A-Z]");

	@ParameterizedTest
	@MethodSource("modules")
	void publicTypesAreThoseOfTheList(String module) throws IOException {
		Path sources = MarkdownPage.ROOT.resolve(module).resolve("src/main/java");
		Path list = MarkdownPage.ROOT.resolve(module).resolve("src/test/resources/public-types.txt");
		List<String> internal = InternalPackages.names();
		List<String> types;
		try (Stream<Path> files = Files.walk(sources)) {
			types = files.filter((file) -> file.toString().endsWith(".java"))
				.filter((file) -> !internal.contains(sources.relativize(file.getParent()).toString().replace('/', '.')))
				.filter((file) -> PUBLIC.matcher(InternalPackages.text(file)).find())
				.map((file) -> sources.relativize(file).toString().replace('/', '.').replaceAll("\\.java$", ""))
				.sorted()
				.toList();
		}
		System.out.println("Public types of " + module + " outside internal packages: " + types.size());
		assertThat(types).as("a new public type is a promise: add it to %s only if applications need it", list)
			.containsExactlyElementsOf(Files.readAllLines(list));
	}

	static List<String> modules() {
		return ProjectModules.PUBLISHED;
	}

	@Test
	void noPromisedSignatureNamesAnInternalType() {
		PromisedSignatures.rule().check(ProductionClasses.ALL);
	}

	@Test
	void publishedJavadocLeavesOutInternalPackages() {
		String pom = InternalPackages.text(MarkdownPage.ROOT.resolve("pom.xml"));
		assertThat(LEFT_OUT.matcher(pom).results().flatMap((match) -> Stream.of(match.group(1).split(":"))))
			.containsExactlyElementsOf(InternalPackages.names());
	}

	@Test
	void comparisonOfReleasesExcludesInternalPackages() {
		String pom = InternalPackages.text(MarkdownPage.ROOT.resolve("pom.xml"));
		assertThat(EXCLUDED.matcher(pom).results().map((match) -> match.group(1)))
			.containsExactlyElementsOf(InternalPackages.names());
	}

	@Test
	void sampleApplicationUsesNoInternalPackage() throws IOException {
		try (Stream<Path> files = Files.walk(MarkdownPage.ROOT.resolve("sample-app/src"))) {
			assertThat(files.filter((file) -> file.toString().endsWith(".java"))).isNotEmpty()
				.allSatisfy((file) -> assertThat(IMPORTED.matcher(InternalPackages.text(file)).results())
					.extracting((match) -> match.group(1))
					.doesNotContainAnyElementsOf(InternalPackages.names()));
		}
	}

}
