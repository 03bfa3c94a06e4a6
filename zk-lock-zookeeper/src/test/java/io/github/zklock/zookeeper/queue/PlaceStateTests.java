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

package io.github.zklock.zookeeper.queue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The states of a place are those of the diagram in the documentation.
 */
class PlaceStateTests {

	private static final Path PAGE = Path.of("../docs/internals/architecture.md");

	private static final Pattern STEP = Pattern.compile("(?m)^ {2}([A-Z_]+ --> [A-Z_]+)(?:: .*)?$");

	@Test
	void diagramShowsEveryStepThatIsAllowedAndNoOther() throws IOException {
		Set<String> shown = new TreeSet<>();
		Matcher steps = STEP.matcher(Files.readString(PAGE));
		while (steps.find()) {
			shown.add(steps.group(1));
		}
		Set<String> allowed = new TreeSet<>();
		for (PlaceState from : PlaceState.values()) {
			Arrays.stream(PlaceState.values()).filter(from::leadsTo).forEach((to) -> allowed.add(from + " --> " + to));
		}
		assertThat(shown).isEqualTo(allowed);
	}

}
