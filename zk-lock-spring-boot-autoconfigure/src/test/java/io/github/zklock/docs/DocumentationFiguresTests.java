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
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.zklock.support.ProjectModules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Figures that pages state in prose are those of the code. When a constant changes, its
 * row fails and names the pages that state it.
 */
class DocumentationFiguresTests {

	private static final Path ROOT = ProjectModules.ROOT;

	@ParameterizedTest(name = "{1} is {2}: {3} says \"{4}\"")
	@CsvSource(delimiter = '|',
			textBlock = """
					zookeeper/local/Turn.java             | GRANTS_BESIDE_OTHERS   | 8                                 | docs/guarantees.md            | at most eight more
					zookeeper/local/Turn.java             | LONGEST_BESIDE_OTHERS  | TimeUnit.MILLISECONDS.toNanos(50) | docs/guarantees.md            | within 50 ms
					zookeeper/local/Turn.java             | LONGEST_ALONE          | TimeUnit.SECONDS.toNanos(1)       | docs/guarantees.md            | After a second with the lock, a JVM gets a new znode
					zookeeper/session/LockNode.java       | MAX_GRANTS             | 1 << 12                           | zk-lock-zookeeper/src/main/java/io/github/zklock/zookeeper/inspect/ZooKeeperLockQueue.java | 4,096
					zookeeper/local/ZooKeeperLockHandle.java | RELEASE_WAIT_MS     | 1000                              | docs/reference.md             | confirmed it, one second at most, or three
					zookeeper/local/ZooKeeperLockHandle.java | UNCERTAIN_RELEASE_WAIT_MS | 3000                        | docs/operations/README.md     | its return waits up to 3 s
					zookeeper/queue/JobRules.java         | PART_OF_A_PERIOD       | 0.9                               | docs/scheduled-jobs.md        | 0.9 of the period
					zookeeper/queue/JobRules.java         | PART_OF_A_PERIOD       | 0.9                               | docs/recipes.md               | 0.9 of the period
					zookeeper/queue/JobMemory.java        | MANY_KEYS              | 1000                              | docs/guarantees.md            | a WARN at 1,000 keys
					zookeeper/session/KeyDirectories.java | MOST                   | 1 << 14                           | docs/internals/cost.md        | 16,384
					zookeeper/session/LeaseHeartbeat.java | UNUSED                 | TimeUnit.MINUTES.toNanos(1)       | docs/guarantees.md            | is deleted a minute after the last lock
					zookeeper/session/SessionLease.java   | BEATS                  | 6                                 | docs/operations/README.md     | six heartbeats in a session timeout
					leader/internal/ElectedRoles.java     | DELAY_FOR_EACH_ROLE    | Duration.ofMillis(500)            | docs/leader.md                | waits 500 ms before it asks for another
					leader/internal/RoleRace.java         | FIRST_PAUSE            | Duration.ofSeconds(1)             | docs/leader.md                | a second later
					leader/internal/RoleRace.java         | LONGEST_PAUSE          | Duration.ofMinutes(1)             | docs/leader.md                | 1 s to 1 min
					leader/internal/HeldRole.java         | PART_FOR_STOP          | 3                                 | docs/leader.md                | the last third
					core/LockRequest.java                 | DEFAULT_WAIT           | Duration.ofSeconds(10)            | docs/getting-started.md       | for 10 s by default
					core/LockRequest.java                 | LONGEST_AT_LEAST       | Duration.ofDays(366)              | docs/comparison.md            | 366 days
					autoconfigure/CuratorFrameworkFactoryBean.java | LARGEST_REPLY | 32 << 20                          | docs/guarantees.md            | takes replies of 32 MB
					endpoint/ZkLockEndpoint.java          | BOUND                  | Duration.ofSeconds(2)             | docs/operations/metrics.md    | 2 s
					core/internal/TickTerms.java          | MOST_SHARDS            | 100                               | docs/shards.md                | is 1 to 100
					interceptor/ShardedExecution.java     | STEP_BACK              | Duration.ofMillis(50)             | docs/shards.md                | for 50 ms
					interceptor/FoundJob.java             | MOST_RUNS              | 21                                | docs/scheduled-jobs.md        | up to 21 `runs()`
					interceptor/source/TickDeclaration.java | MAX_ATTEMPTS         | 3                                 | docs/scheduled-jobs.md        | three attempts began
					scheduling/MissedRuns.java            | MOST_DOUBLINGS         | 5                                 | docs/scheduled-jobs.md        | after up to 32 s
					zookeeper/local/LockCache.java        | longestIdle            | TimeUnit.SECONDS.toNanos(10)      | docs/annotation.md            | after 10 seconds without a call
					fencing/FenceConnection.java          | MARGIN_MS              | 1000                              | docs/fencing.md               | plus a second
					observation/internal/LockMetrics.java | MOST_NAMES             | 1000                              | docs/operations/metrics.md    | 1,000
					""")
	void pageStatesWhatTheCodeDoes(String source, String constant, String value, String page, String text)
			throws IOException {
		assertThat(valueOf(source, constant)).as("%s of %s, which %s states as \"%s\"", constant, source, page, text)
			.isEqualTo(value);
		assertThat(Files.readString(ROOT.resolve(page)).replaceAll("\\s+", " ")).contains(text);
	}

	@Test
	void formulaOfTheSizingGivesTheFigureOfEachPage() throws IOException {
		int writes = 10_000;
		int clients = 1_000;
		String locks = String.format(Locale.ROOT, "%,d", (int) (writes / 2 - 0.3 * clients) / 2);
		assertThat(Files.readString(ROOT.resolve("docs/operations/README.md"))).contains("2 x locks a second")
			.contains("0.3 x clients that hold locks")
			.contains("1,000 clients and about " + locks + " locks a second");
	}

	private static String valueOf(String source, String constant) throws IOException {
		Matcher declaration = Pattern.compile("\\b" + constant + " = ([^;]+);")
			.matcher(Files.readString(ProjectModules.find("src/main/java/io/github/zklock/" + source)));
		assertThat(declaration.find()).as("%s declares %s", source, constant).isTrue();
		return declaration.group(1);
	}

}
