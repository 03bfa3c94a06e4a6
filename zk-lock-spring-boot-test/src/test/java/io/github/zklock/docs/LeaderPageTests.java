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

package io.github.zklock.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;

import io.github.zklock.docs.LeaderApplication.Batches;
import io.github.zklock.leader.LeaderRoles;
import io.github.zklock.support.ProjectModules;
import io.github.zklock.test.AutoConfigureZkLock;
import io.github.zklock.test.LockTesting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Runs the bean of {@code docs/leader.md}: the code of the page is pieces of
 * {@link LeaderApplication}.
 */
@SpringBootTest(classes = LeaderApplication.class)
@AutoConfigureZkLock
@ExtendWith(OutputCaptureExtension.class)
class LeaderPageTests {

	private static final Pattern SNIPPET = Pattern.compile("(?ms)^```java\\n(.*?)^```$");

	@Autowired
	LockTesting locks;

	@Autowired
	LeaderRoles roles;

	@Test
	void beanWorksWhileItsNodeLeadsAndAgainAfterALoss(@Autowired Batches batches, CapturedOutput output) {
		await().until(() -> !batches.written.isEmpty());
		long token = batches.written.get(0);
		this.locks.assertHeld("leader:indexer");
		this.locks.expireSession();
		await().until(() -> batches.written.get(batches.written.size() - 1) > token);
		assertThat(output).contains("Has PT0S to stop: LOST");
		this.roles.yield("indexer");
		assertThat(this.roles.isLeader("indexer")).isFalse();
	}

	@Test
	void codeOfThePageIsThatOfTheApplication() throws IOException {
		String source = plain(
				Files.readString(ProjectModules.find("src/test/java/io/github/zklock/docs/LeaderApplication.java")));
		List<String> snippets = SNIPPET.matcher(Files.readString(ProjectModules.ROOT.resolve("docs/leader.md")))
			.results()
			.map((snippet) -> plain(snippet.group(1)))
			.toList();
		assertThat(snippets).hasSize(2).allSatisfy((snippet) -> assertThat(source).contains(snippet));
	}

	private static String plain(String code) {
		return code.replaceAll("\\bstatic class", "class").replaceAll("\\s+", " ").strip();
	}

}
