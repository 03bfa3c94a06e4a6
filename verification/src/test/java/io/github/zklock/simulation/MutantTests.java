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

package io.github.zklock.simulation;

import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The simulation finds out when the engine does not keep one of its rules.
 */
class MutantTests {

	private static final Path REPORT = Path.of("target", "mutants");

	@TempDir
	private Path directory;

	static List<Mutant> all() {
		return Mutant.all();
	}

	@ParameterizedTest
	@MethodSource("all")
	void mutantFitsTheSources(Mutant mutant) throws IOException {
		assertThat(mutant.write(this.directory)).isNotEmpty();
	}

	static List<Mutant> tested() {
		return all().stream().filter((mutant) -> mutant.test() != null).toList();
	}

	// Else no mutant is played at night any more.
	@ParameterizedTest
	@MethodSource("tested")
	void testOfAMutantCanRunHere(Mutant mutant) throws IOException {
		String test = Objects.requireNonNull(mutant.test()).split("#")[0];
		try (URLClassLoader tests = new URLClassLoader(MutantHunt.tests(), getClass().getClassLoader())) {
			assertThat(MissingClasses.of(test, tests)).isEmpty();
		}
	}

	@Test
	@Timeout(value = 1, unit = TimeUnit.DAYS)
	@EnabledIfSystemProperty(named = "mutants", matches = "\\d+", disabledReason = "takes half an hour")
	void everyMutantIsFound() throws Exception {
		List<String> numbers = List.of(System.getProperty("mutant", "").split(","));
		List<MutantHunt> hunts = new ArrayList<>();
		for (Mutant mutant : Mutant.all()) {
			if (numbers.contains("") || numbers.contains(mutant.name().substring(0, 2))) {
				MutantHunt hunt = MutantHunt.of(mutant, Integer.getInteger("mutants"), this.directory);
				System.out.println(hunt.line());
				hunts.add(hunt);
			}
		}
		MutantTable.write(REPORT, hunts);
		assertThat(hunts).allMatch(MutantHunt::isFound);
	}

}
