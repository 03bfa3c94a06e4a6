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

package io.github.zklock.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that lists the starter of zk-lock before all others logs. Maven keeps
 * one path to each artifact, with its exclusions: what the first starter excludes, the
 * others cannot bring.
 */
@Tag("server")
class SampleLoggingTests {

	@Test
	void loggingOfSpringBootIsThereBehindTheStarterOfZkLock() throws IOException {
		String dependencies = Files.readString(Path.of("pom.xml")).split("<dependencies>")[1];
		assertThat(dependencies.split("<artifactId>")[1]).startsWith("zk-lock-spring-boot-starter<");
		assertThat(LoggerFactory.getILoggerFactory().getClass().getName())
			.isEqualTo("ch.qos.logback.classic.LoggerContext");
	}

}
