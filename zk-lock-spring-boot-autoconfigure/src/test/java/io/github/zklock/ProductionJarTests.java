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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.zklock.support.ProjectModules;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The jars that run in production hold nothing for tests: that is in the module
 * {@code zk-lock-spring-boot-test}.
 */
class ProductionJarTests {

	private static final List<Path> CLASSES = List
		.of("zk-lock-core", "zk-lock-zookeeper", "zk-lock-spring", "zk-lock-spring-boot-autoconfigure")
		.stream()
		.map((module) -> ProjectModules.ROOT.resolve(module).resolve("target/classes"))
		.toList();

	@ParameterizedTest
	@ValueSource(strings = { "org.springframework.test", "com.tngtech.archunit", "org.junit", "org.mockito",
			"io.github.zklock.test." })
	void nothingIsForTests(String name) throws IOException {
		assertThat(files()).hasSizeGreaterThan(400)
			.noneMatch((file) -> holds(file, name) || holds(file, name.replace('.', '/')));
	}

	private static List<Path> files() throws IOException {
		List<Path> all = new ArrayList<>();
		for (Path classes : CLASSES) {
			try (Stream<Path> files = Files.walk(classes)) {
				all.addAll(files.filter(Files::isRegularFile)
					.filter((file) -> !file.endsWith("module-info.class"))
					.toList());
			}
		}
		return all;
	}

	private static boolean holds(Path file, String name) {
		try {
			return file.toString().contains(name) || Files.readString(file, StandardCharsets.ISO_8859_1).contains(name);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
