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
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.github.zklock.support.ProjectModules;

/**
 * The packages that only zk-lock itself uses: the ones whose {@code package-info} says
 * "Internal".
 */
final class InternalPackages {

	private static final String SOURCES = "src/main/java";

	private InternalPackages() {
	}

	/**
	 * Return their names.
	 * @return the names in alphabetical order
	 */
	static List<String> names() {
		return ProjectModules.all(SOURCES).stream().flatMap(InternalPackages::names).sorted().toList();
	}

	private static Stream<String> names(Path sources) {
		try (Stream<Path> files = Files.walk(sources)) {
			return files.filter((file) -> file.endsWith("package-info.java"))
				.filter((file) -> text(file).contains("Internal:"))
				.map((file) -> sources.relativize(file.getParent()).toString().replace('/', '.'))
				.toList()
				.stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return what a file says.
	 * @param file the file
	 * @return its text
	 */
	static String text(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
