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
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.zklock.support.ProjectModules;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Code that goes on after any error is hard to judge. The number of such places only
 * falls, unless new code calls an application on a thread of its own.
 */
class CaughtErrorsTests {

	private static final int MOST = 25;

	private static final Pattern ANY_ERROR = Pattern.compile("catch \\((final )?([\\w.]+ \\| )*Throwable\\b");

	@Test
	void fewPlacesGoOnAfterAnyError() throws IOException {
		Map<String, Integer> places = new TreeMap<>();
		for (Path sources : ProjectModules.all("src/main/java")) {
			if (ProjectModules.PUBLISHED.stream()
				.anyMatch((module) -> sources.startsWith(ProjectModules.ROOT.resolve(module)))) {
				count(sources, places);
			}
		}
		int all = places.values().stream().mapToInt(Integer::intValue).sum();
		System.out.println(all + " catch clauses take Throwable: " + places);
		assertThat(all).as(places::toString).isPositive().isLessThanOrEqualTo(MOST);
	}

	private static void count(Path sources, Map<String, Integer> places) throws IOException {
		try (Stream<Path> files = Files.walk(sources)) {
			for (Path file : files.filter((one) -> one.toString().endsWith(".java")).toList()) {
				Matcher any = ANY_ERROR.matcher(Files.readString(file));
				while (any.find()) {
					places.merge(file.getFileName().toString(), 1, Integer::sum);
				}
			}
		}
	}

}
