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

package io.github.zklock.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.test.ShopApplication.Orders;
import io.github.zklock.test.ShopApplication.Reports;
import io.github.zklock.test.memory.InMemoryLockProvider;
import io.github.zklock.test.memory.InMemoryLockTesting;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Runs the recipes of {@code docs/testing.md}, which are pieces of this file.
 */
@SpringBootTest(classes = ShopApplication.class, properties = "zk-lock.enabled=false")
@AutoConfigureZkLock
class TestingRecipesTests {

	private static final Pattern SNIPPET = Pattern.compile("(?ms)^```java\\n(.*?)^```$");

	@Autowired
	LockTesting locks;

	@Autowired
	Orders orders;

	@Autowired
	Reports reports;

	@Autowired
	LockOperations operations;

	@BeforeEach
	void begin() {
		this.orders.setWork(() -> {
		});
		this.reports.runs().set(0);
		this.reports.setWork(() -> {
		});
	}

	@Test
	void orderIsShippedByOneProcessOnly() {
		try (LockHandle other = this.locks.hold("order:42")) {
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.orders.ship(42));
		}
		assertThat(this.orders.ship(42)).isEqualTo(42);
	}

	@Test
	void messageSaysWhoHoldsTheOrder() {
		this.locks.hold("order:42", LockMode.READ, "billing-3");
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.orders.ship(42))
			.withMessageContaining("held by billing-3");
	}

	@Test
	void shippingHoldsTheLock() {
		this.orders.setWork(() -> this.locks.assertHeld("order:42"));
		this.orders.ship(42);
		this.locks.assertFree("order:42");
	}

	@Test
	void billWaitsForTheOrder() {
		LockHandle other = this.locks.hold("order:42");
		CompletableFuture<Long> bill = CompletableFuture.supplyAsync(() -> this.orders.bill(42));
		this.locks.awaitWaiting("order:42", 1);
		other.close();
		assertThat(bill.join()).isEqualTo(42);
	}

	@Test
	void billWaitsTenSecondsAtMost() {
		this.locks.hold("order:42");
		CompletableFuture<Long> bill = CompletableFuture.supplyAsync(() -> this.orders.bill(42));
		this.locks.awaitWaiting("order:42", 1);
		this.locks.advance(Duration.ofSeconds(10));
		assertThatExceptionOfType(CompletionException.class).isThrownBy(bill::join)
			.withCauseInstanceOf(LockNotAcquiredException.class);
	}

	@Test
	void lossOfTheLockIsTold() {
		this.orders.setWork(() -> this.locks.lose("order:42"));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.orders.ship(42));
	}

	@Test
	void sessionExpiresWhileTheConnectionIsInterrupted() {
		this.orders.setWork(() -> {
			LockHandle handle = LockHandle.current();
			try (LockTesting.Outage outage = this.locks.interruptConnection()) {
				assertThat(handle.state()).isEqualTo(LockState.UNCERTAIN);
				this.locks.expireSession();
			}
			assertThat(handle.state()).isEqualTo(LockState.LOST);
		});
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.orders.ship(42));
	}

	@Test
	void mailIsLeftOutWhileZooKeeperIsDown() {
		AtomicInteger sent = new AtomicInteger();
		this.orders.setWork(sent::incrementAndGet);
		try (LockTesting.Outage outage = this.locks.interruptConnection()) {
			this.orders.mail();
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.orders.ship(42));
		}
		assertThat(sent).hasValue(0);
	}

	@Test
	void stockIsCountedOnceInFiveMinutes() {
		this.orders.count();
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this.orders::count)
			.withMessageContaining("keeps it at least 5m");
		this.locks.advance(Duration.ofMinutes(5));
		this.orders.count();
	}

	@Test
	void reportRunsOncePerTick() {
		this.locks.runTick(this.reports::nightly);
		this.locks.runTick(this.reports::nightly);
		assertThat(this.reports.runs()).hasValue(1);
		this.locks.advance(Duration.ofDays(1));
		this.locks.runTick(this.reports::nightly);
		assertThat(this.reports.runs()).hasValue(2);
	}

	@Test
	void reportIsSkippedThatAnotherProcessHasRun() {
		LockTick tick = LockTick.at(Reports.class.getName() + ".nightly", this.locks.now());
		this.locks.another("shop-2").acquire(List.of(LockRequest.of("nightly-report").withTick(tick))).close();
		this.locks.runTick(this.reports::nightly);
		assertThat(this.reports.runs()).hasValue(0);
	}

	@Test
	void reportIsMadeUpForWhenItsNodeDies() {
		this.reports.setWork(() -> this.locks.killHolder("monthly-report"));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.locks.runTick(this.reports::monthly));
		this.reports.setWork(() -> assertThat(LockTick.current().attempt()).isEqualTo(2));
		this.locks.startNode(this.reports::monthly);
		assertThat(this.reports.runs()).hasValue(2);
		this.locks.startNode(this.reports::monthly);
		assertThat(this.reports.runs()).hasValue(2);
	}

	@Test
	void tickThatNoNodeHasRunIsMadeUpFor() {
		this.locks.startNode(this.reports::monthly);
		assertThat(this.reports.runs()).hasValue(0);
		this.locks.runTick(this.reports::monthly);
		this.locks.advance(Duration.ofDays(31));
		this.locks.startNode(this.reports::monthly);
		assertThat(this.reports.runs()).hasValue(2);
	}

	@Test
	void reportOfAnotherProcessIsMadeUpForWhenThatDies() {
		LockTick tick = LockTick.at(Reports.class.getName() + ".monthly", this.locks.now());
		this.locks.another("shop-2").acquire(List.of(LockRequest.of("monthly-report").withTick(tick)));
		this.locks.killHolder("monthly-report");
		this.locks.startNode(this.reports::monthly);
		assertThat(this.reports.runs()).hasValue(1);
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.locks.killHolder("monthly-report"))
			.withMessage("No process holds 'monthly-report'");
	}

	@Test
	void pausedReportIsSkipped() {
		this.locks.pauseJob(Reports.class.getName() + ".monthly", "monthly-report");
		this.locks.runTick(this.reports::monthly);
		assertThat(this.reports.runs()).hasValue(0);
		this.locks.resumeJob(Reports.class.getName() + ".monthly", "monthly-report");
		this.locks.runTick(this.reports::monthly);
		assertThat(this.reports.runs()).hasValue(1);
	}

	@Test
	void cleanUpIsSkippedWithinThePeriodOfAnotherProcess() {
		Duration period = Duration.ofHours(1);
		LockTick tick = LockTick.every(Reports.class.getName() + ".cleanUp", period);
		this.locks.another("shop-2").acquire(List.of(LockRequest.of("clean-up").withTick(tick))).close();
		this.locks.runEvery(period, this.reports::cleanUp);
		assertThat(this.reports.runs()).hasValue(0);
		this.locks.advance(period);
		this.locks.runEvery(period, this.reports::cleanUp);
		assertThat(this.reports.runs()).hasValue(1);
	}

	@Test
	void everyScheduledMethodIsGuarded(@Autowired ApplicationContext context) {
		LockAssertions.assertScheduledMethodsAreGuarded(context);
	}

	@Test
	void locksWorkWithoutSpring() {
		InMemoryLockProvider provider = new InMemoryLockProvider();
		LockOperations operations = new LockTemplate(provider);
		InMemoryLockTesting locks = new InMemoryLockTesting(provider);
		operations.execute(LockRequest.of("order:42"), (handle) -> {
			locks.assertHeld("order:42");
			return "shipped";
		});
		locks.reset();
	}

	@Test
	void locksAreOnAndNoClientIsThere(@Autowired ApplicationContext context) {
		assertThat(context.getBeanProvider(CuratorFramework.class)).isEmpty();
		LockHandle handle = this.operations.acquire(List.of(LockRequest.of("order:42")));
		this.locks.assertHeld("order:42");
		handle.close();
	}

	@Test
	void timeDoesNotGoBack() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.locks.advance(Duration.ofSeconds(-1)));
	}

	// The first one, with its imports, is the test of a new application:
	// .ci/new-application.
	@Test
	void everySnippetOfThePageIsAPieceOfThisFile() throws IOException {
		String source = plain(Files.readString(Path.of("src/test/java/io/github/zklock/test/TestingRecipesTests.java")))
				+ plain(Files.readString(Path.of("src/test/java/io/github/zklock/test/WebSliceTests.java")))
				+ plain(Files.readString(Path.of("src/test/java/io/github/zklock/test/NoWaitTests.java")))
				+ plain(Files.readString(Path.of("src/test/java/io/github/zklock/test/EmbeddedServerTests.java")));
		List<String> snippets = SNIPPET.matcher(Files.readString(Path.of("../docs/testing.md")))
			.results()
			.map((match) -> match.group(1))
			.filter((snippet) -> !snippet.startsWith("import "))
			.toList();
		assertThat(snippets).hasSize(15).allSatisfy((snippet) -> assertThat(source).contains(plain(snippet)));
	}

	private static String plain(String code) {
		return code.lines().map(String::strip).filter((line) -> !line.isEmpty()).reduce("", (a, b) -> a + b + "\n");
	}

}
