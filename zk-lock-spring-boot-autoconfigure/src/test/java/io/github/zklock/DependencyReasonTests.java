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
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each library that an application may get, or that ours is compiled against, has its
 * reason in {@code CONTRIBUTING.md}.
 */
class DependencyReasonTests {

	private static final Pattern DEPENDENCY = Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);

	private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]+)</artifactId>");

	@Test
	void everyDependencyHasItsSentence() throws IOException {
		String contributing = Files.readString(Path.of("..", "CONTRIBUTING.md"));
		String reasons = contributing.substring(contributing.indexOf("## Dependencies"));
		Set<String> artifacts = artifacts("../zk-lock-spring-boot-starter/pom.xml");
		artifacts.addAll(artifacts("pom.xml"));
		artifacts.removeIf((artifact) -> artifact.startsWith("zk-lock-"));
		assertThat(artifacts).hasSizeGreaterThan(10)
			.allSatisfy((artifact) -> assertThat(reasons).contains("`" + artifact + "`"));
	}

	private static Set<String> artifacts(String pom) throws IOException {
		Set<String> artifacts = new TreeSet<>();
		Matcher dependency = DEPENDENCY.matcher(Files.readString(Path.of(pom)));
		while (dependency.find()) {
			Matcher artifact = ARTIFACT.matcher(dependency.group(1));
			if (!dependency.group(1).contains("<scope>test</scope>") && artifact.find()) {
				artifacts.add(artifact.group(1));
			}
		}
		return artifacts;
	}

}
