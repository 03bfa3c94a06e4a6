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
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import io.github.zklock.docs.MarkdownPage;
import io.github.zklock.docs.MarkdownPage.Block;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The Java code on every page of the documentation compiles, but for what is listed here.
 */
@Tag("server")
class DocumentationSnippetTests {

	// Pages whose code other tests compare with code that they run.
	private static final Set<String> RUN_ELSEWHERE = Set.of("docs/leader.md", // LeaderPageTests
			"docs/libraries.md", // LibrariesPageTests
			"docs/plain-java.md", // InvoicesTests, PlainSpringTests
			"docs/recipes.md", // RecipesTests
			"docs/shards.md", // ShardsPageTests
			"docs/testing.md"); // TestingRecipesTests

	// Code for libraries that are not among the dependencies, beside ours for the same.
	private static final Set<String> FOREIGN = Set.of("redisson.getLock(", "@Klock(", "@Lock4j(");

	private static final Pattern IMPORT = Pattern.compile("(?m)^ *import .*;$");

	private static final String FRAME = """
			%s
			import io.github.zklock.annotation.*;
			import io.github.zklock.core.*;
			import io.github.zklock.scheduling.*;
			import java.time.Duration;
			import java.time.Instant;
			import java.time.ZoneId;
			import java.util.List;
			import java.util.Optional;
			import java.util.concurrent.TimeUnit;
			import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
			import org.apache.curator.framework.CuratorFramework;
			import org.apache.curator.framework.CuratorFrameworkFactory;
			import org.apache.curator.retry.ExponentialBackoffRetry;
			import org.apache.curator.framework.recipes.locks.InterProcessMutex;
			import org.springframework.boot.test.context.*;
			import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
			import org.springframework.beans.factory.annotation.Qualifier;
			import org.springframework.beans.factory.annotation.Value;
			import org.springframework.context.annotation.Bean;
			import org.springframework.context.annotation.Configuration;
			import org.springframework.context.annotation.Lazy;
			import org.springframework.scheduling.annotation.Scheduled;
			import org.springframework.stereotype.Service;
			import io.github.zklock.zookeeper.ZooKeeperLockProvider;
			import org.apache.zookeeper.Op;
			import org.springframework.transaction.annotation.Transactional;
			import org.testcontainers.containers.GenericContainer;
			import org.testcontainers.junit.jupiter.Container;
			import org.testcontainers.junit.jupiter.Testcontainers;

			abstract class Frame%d {

				record Order(long id) { }

				record Parcel(long id) { }

				interface Store { long next(long token); }

				LockOperations locks;

				LockTemplate lockTemplate;

				LockJobs jobs;

				ZooKeeperLockProvider ordersLocks;

				Store store;

				CuratorFramework client;

				org.springframework.integration.support.locks.LockRegistry lockRegistry;

				org.springframework.jdbc.core.JdbcTemplate jdbc;

				org.springframework.transaction.support.TransactionTemplate transactions;

				io.github.zklock.transaction.FencedTransactions fencedTransactions;

				org.apache.zookeeper.ZooKeeper zooKeeper;
				%s

			}
			""";

	private static final String BODY = """
			abstract Parcel ship(long id);

			abstract Parcel ship(long id, long token);

			abstract void report();

			void run(long id) throws Throwable {
			%s
			}
			""";

	@TempDir
	private Path classes;

	@ParameterizedTest
	@MethodSource("pages")
	void snippetsCompile(MarkdownPage page) throws IOException {
		List<JavaFileObject> sources = new ArrayList<>();
		for (Block snippet : snippets(page)) {
			sources.add(new Source("Frame" + sources.size(), framed(sources.size(), snippet.code())));
		}
		assertThat(sources).isNotEmpty();
		assertThat(errors(sources)).isEmpty();
	}

	static List<MarkdownPage> pages() throws IOException {
		return MarkdownPage.all().stream().filter((page) -> !snippets(page).isEmpty()).toList();
	}

	@Test
	void whatIsNotCompiledIsStillThere() throws IOException {
		List<MarkdownPage> pages = MarkdownPage.all();
		assertThat(pages).extracting(MarkdownPage::toString).containsAll(RUN_ELSEWHERE);
		assertThat(FOREIGN).allSatisfy((code) -> assertThat(pages)
			.anySatisfy((page) -> assertThat(page.blocks("java")).anyMatch((block) -> block.code().contains(code))));
	}

	@Test
	void everyBlockOfCodeThatLooksLikeJavaSaysSo() throws IOException {
		for (MarkdownPage page : MarkdownPage.all()) {
			assertThat(page.blocks("", "text")).as(page.toString())
				.noneMatch((block) -> block.code().contains("@DistributedLock("));
		}
	}

	private static List<Block> snippets(MarkdownPage page) {
		return RUN_ELSEWHERE.contains(page.toString()) ? List.of()
				: page.blocks("java")
					.stream()
					.filter((block) -> FOREIGN.stream().noneMatch(block.code()::contains))
					.toList();
	}

	private static String framed(int number, String snippet) {
		String imports = IMPORT.matcher(snippet)
			.results()
			.map((match) -> match.group())
			.collect(Collectors.joining("\n"));
		// Otherwise the record would hide the annotation of this name.
		String frame = imports.contains(".Order;") ? FRAME.replace("record Order(long id) { }", "") : FRAME;
		return frame.formatted(imports, number, member(IMPORT.matcher(snippet).replaceAll("")));
	}

	private static String member(String snippet) {
		String complete = snippet.replace("{ ... }", "{ throw new UnsupportedOperationException(); }");
		return complete.stripLeading().startsWith("@") ? complete : BODY.formatted(complete);
	}

	private List<String> errors(List<JavaFileObject> sources) {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
		List<String> options = List.of("-proc:none", "-d", this.classes.toString(), "-classpath",
				System.getProperty("java.class.path"));
		boolean compiled = compiler.getTask(null, null, diagnostics, options, null, sources).call();
		List<String> errors = diagnostics.getDiagnostics()
			.stream()
			.filter((diagnostic) -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
			.map((diagnostic) -> diagnostic.getMessage(Locale.ROOT) + "\n" + diagnostic.getSource())
			.toList();
		assertThat(compiled).isEqualTo(errors.isEmpty());
		return errors;
	}

	private static final class Source extends SimpleJavaFileObject {

		private final String code;

		Source(String name, String code) {
			super(URI.create("string:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
			this.code = code;
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.code;
		}

		@Override
		public String toString() {
			return this.code;
		}

	}

}
