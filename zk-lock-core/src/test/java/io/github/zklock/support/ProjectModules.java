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

package io.github.zklock.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The modules of the project, for tests that read its sources: one place knows where a
 * file is.
 */
public final class ProjectModules {

	/** The directory of the project. A test runs in the directory of its module. */
	public static final Path ROOT = Path.of("..");

	/** The modules that are published and have classes, from below. */
	public static final List<String> PUBLISHED = List.of("zk-lock-core", "zk-lock-test", "zk-lock-zookeeper",
			"zk-lock-spring", "zk-lock-spring-boot-autoconfigure", "zk-lock-spring-boot-test");

	private ProjectModules() {
	}

	/**
	 * Return a file or directory in each module that has it.
	 * @param path the path in the module
	 * @return the paths, in the order of the names of the modules
	 */
	public static List<Path> all(String path) {
		try (Stream<Path> modules = Files.list(ROOT)) {
			return modules.filter((module) -> Files.exists(module.resolve("pom.xml")))
				.map((module) -> module.resolve(path))
				.filter(Files::exists)
				.sorted()
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return a file or directory of the module that has it.
	 * @param path the path in the module
	 * @return the path
	 * @throws IllegalArgumentException if not exactly one module has it
	 */
	public static Path find(String path) {
		List<Path> found = all(path);
		if (found.size() != 1) {
			throw new IllegalArgumentException("'" + path + "' is in " + found.size() + " modules: " + found);
		}
		return found.get(0);
	}

}
