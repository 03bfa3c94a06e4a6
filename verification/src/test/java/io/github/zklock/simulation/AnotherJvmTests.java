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

import java.util.List;
import java.util.stream.IntStream;

import io.github.zklock.support.JavaProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A seed says all about a schedule, whatever the JVM.
 */
@Tag("server")
class AnotherJvmTests {

	@Test
	void aSeedGivesTheSameScheduleInAnotherJvm() {
		List<Long> here = TraceHashes.of(1, TraceHashes.SEEDS);
		try (JavaProcess other = JavaProcess.start(TraceHashes.class.getName(),
				List.of("logback.configurationFile=logback-ensemble.xml"), "1")) {
			List<Long> there = IntStream.range(0, TraceHashes.SEEDS)
				.mapToObj((number) -> Long.valueOf(other.awaitLine("hash " + number + " ").split(" ")[2]))
				.toList();
			assertThat(there).isEqualTo(here);
		}
		assertThat(here).doesNotHaveDuplicates();
	}

	@Test
	void aSeedGivesTheSameTurmoilInAnotherJvm() {
		try (JavaProcess other = JavaProcess.start(Turmoil.class.getName(), List.of("zookeeper.jmx.log4j.disable=true"),
				"10")) {
			assertThat(other.awaitLine("hash ")).isEqualTo("hash " + Turmoil.hash(10));
		}
	}

}
