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
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockJobs;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.docs.PlainSpringApplication.LockConfiguration;
import io.github.zklock.docs.PlainSpringApplication.Reports;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ManualTaskScheduler;
import io.github.zklock.support.ProjectModules;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the application without Spring Boot of {@code docs/plain-java.md}.
 */
@Tag("server")
class PlainSpringTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final ManualTaskScheduler scheduler = new ManualTaskScheduler(Instant.parse("2026-10-05T09:30:00Z"));

	@Test
	void guardedMethodWaitsForAnotherProcess() {
		try (AnnotationConfigApplicationContext context = start();
				LockClient<ZooKeeperLockProvider> other = LockClient.connect(server.connectString(),
						Duration.ofSeconds(20), (client) -> ZooKeeperLockProvider.builder(client).build())) {
			Reports reports = context.getBean(Reports.class);
			assertThat(reports.write(42)).isEqualTo("invoice:42");
			LockHandle held = other.locks().acquire(LockRequest.of("invoice:42").withWait(Duration.ofSeconds(30)));
			CompletableFuture<String> next = CompletableFuture.supplyAsync(() -> reports.write(42));
			Awaitility.await()
				.until(() -> other.locks()
					.inspector()
					.queue("invoice:42", Duration.ofSeconds(30))
					.contenders()
					.size() == 2);
			assertThat(next).isNotDone();
			held.release();
			assertThat(next).succeedsWithin(Duration.ofSeconds(30)).isEqualTo("invoice:42");
		}
	}

	@Test
	void jobRunsOncePerTickOnTwoNodesAndByHand() {
		try (AnnotationConfigApplicationContext one = start(); AnnotationConfigApplicationContext two = start()) {
			// A tick does not wait until a node is connected.
			Stream.of(one, two)
				.map((node) -> node.getBean(LockProvider.class))
				.forEach((locks) -> locks.acquire(LockRequest.of("first").withWait(Duration.ofSeconds(30))).release());
			this.scheduler.advance(Duration.ofHours(1));
			assertThat(runs(one) + runs(two)).isOne();
			LockJobs jobs = two.getBean(LockJobs.class);
			jobs.pause("hourly-report", "ann");
			assertThat(one.getBean(LockJobs.class).get("hourly-report").pausedBy()).isEqualTo("ann");
			CompletableFuture<Void> begun = jobs.run("hourly-report");
			this.scheduler.advance(Duration.ofHours(1));
			assertThat(begun).succeedsWithin(Duration.ofSeconds(30));
			assertThat(runs(one) + runs(two)).isEqualTo(2);
		}
	}

	private static int runs(AnnotationConfigApplicationContext context) {
		return context.getBean(Reports.class).runs();
	}

	@Test
	void noBeanIsOfSpringBoot() {
		try (AnnotationConfigApplicationContext context = start()) {
			assertThat(context.getBeanNamesForType(LockProvider.class)).containsExactly("locks");
			assertThat(Arrays.stream(context.getBeanDefinitionNames())
				.map((name) -> Objects.requireNonNull(context.getType(name)).getName())).isNotEmpty()
				.noneMatch((type) -> type.contains(".springframework.boot.") || type.contains(".autoconfigure."));
		}
	}

	@Test
	void codeOfThePageIsThatOfTheApplication() throws IOException {
		String source = plain(Files
			.readString(ProjectModules.find("src/test/java/io/github/zklock/docs/PlainSpringApplication.java")));
		List<String> snippets = new MarkdownPage(ProjectModules.ROOT.resolve("docs/plain-java.md"),
				Files.readString(ProjectModules.ROOT.resolve("docs/plain-java.md")))
			.blocks("java")
			.stream()
			.map(MarkdownPage.Block::code)
			.filter((code) -> code.contains("@EnableDistributedLocks"))
			.toList();
		assertThat(snippets).singleElement().satisfies((code) -> assertThat(source).contains(plain(code)));
	}

	private static String plain(String code) {
		return code.lines().map(String::strip).filter((line) -> !line.isEmpty()).reduce("", (a, b) -> a + b + "\n");
	}

	private AnnotationConfigApplicationContext start() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of("zookeeper.servers", server.connectString())));
		context.register(LockConfiguration.class, Reports.class);
		context.registerBean("taskScheduler", ManualTaskScheduler.class, () -> this.scheduler);
		context.refresh();
		return context;
	}

}
