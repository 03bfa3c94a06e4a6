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
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A test with the tag {@code flaky} runs in the nightly build only. Such tests are few,
 * give their reason, and judge no promise of the locks.
 */
class QuarantineTests {

	private static final int MOST = 5;

	private static final String TAG = "@Tag(\"flaky\")";

	private static final Pattern FLAKY = Pattern.compile("(?m)^(.*)\\R\\s*" + Pattern.quote(TAG));

	private static final Pattern PROMISES = Pattern.compile("/zklock/(core|zookeeper|simulation|torture)/");

	private static final List<Quarantined> quarantined = quarantined();

	@Test
	void quarantineHoldsFewTests() {
		assertThat(quarantined).hasSizeLessThanOrEqualTo(MOST);
	}

	@Test
	void quarantinedTestsGiveTheirReason() {
		assertThat(quarantined)
			.allSatisfy((test) -> assertThat(test.lineBefore()).as("the line above the tag in %s", test.file())
				.startsWith("// "));
	}

	@Test
	void quarantinedTestsJudgeNoPromise() {
		assertThat(quarantined)
			.allSatisfy((test) -> assertThat(test.file().toString()).doesNotContainPattern(PROMISES));
	}

	// Only this module plays them at night.
	@Test
	void quarantinedTestsAreOfThisModule() {
		assertThat(quarantined).allSatisfy(
				(test) -> assertThat(test.file().toString()).startsWith("../zk-lock-spring-boot-autoconfigure"));
	}

	private static List<Quarantined> quarantined() {
		try (Stream<Path> modules = Files.list(Path.of(".."))) {
			return modules.map((module) -> module.resolve(Path.of("src", "test")))
				.filter(Files::isDirectory)
				.flatMap(QuarantineTests::files)
				.flatMap(QuarantineTests::quarantined)
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Stream<Path> files(Path directory) {
		try (Stream<Path> files = Files.walk(directory)) {
			return files.filter((file) -> file.toString().matches(".*\\.(java|kt)")).toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Stream<Quarantined> quarantined(Path file) {
		try {
			String source = Files.readString(file);
			// The pattern takes long, and almost no source has the tag.
			if (!source.contains(TAG)) {
				return Stream.empty();
			}
			return FLAKY.matcher(source).results().map((result) -> new Quarantined(file, result.group(1).strip()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private record Quarantined(Path file, String lineBefore) {
	}

}
