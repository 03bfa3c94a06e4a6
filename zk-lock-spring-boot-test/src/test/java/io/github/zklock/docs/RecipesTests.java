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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.docs.RecipesApplication.Accounts;
import io.github.zklock.docs.RecipesApplication.Couriers;
import io.github.zklock.docs.RecipesApplication.Dispatch;
import io.github.zklock.docs.RecipesApplication.Labels;
import io.github.zklock.docs.RecipesApplication.Meter;
import io.github.zklock.docs.RecipesApplication.Order;
import io.github.zklock.docs.RecipesApplication.Orders;
import io.github.zklock.docs.RecipesApplication.Prices;
import io.github.zklock.docs.RecipesApplication.Reports;
import io.github.zklock.docs.RecipesApplication.StockStore;
import io.github.zklock.support.ProjectModules;
import io.github.zklock.test.AutoConfigureZkLock;
import io.github.zklock.test.LockTesting;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.dao.OptimisticLockingFailureException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Runs the recipes of {@code docs/recipes.md}: its code is pieces of
 * {@link RecipesApplication}.
 */
@SpringBootTest(classes = RecipesApplication.class)
@AutoConfigureZkLock
class RecipesTests {

	private static final Pattern SNIPPET = Pattern.compile("(?ms)^```java\\n(.*?)^```$");

	@Autowired
	LockTesting locks;

	@Test
	void scheduledJobRunsOncePerTick(@Autowired Reports reports) {
		Instant first = this.locks.now();
		this.locks.runTick(reports::report);
		this.locks.runTick(reports::report);
		assertThat(reports.written()).containsExactly(first);
		this.locks.advance(Duration.ofDays(1));
		this.locks.runTick(reports::report);
		assertThat(reports.written()).containsExactly(first, first.plus(Duration.ofDays(1)));
		this.locks.runTick(reports::invoices);
		this.locks.runTick(reports::invoices);
		this.locks.runEvery(Duration.ofMinutes(15), reports::cleanUp);
		assertThat(reports.written()).hasSize(4);
	}

	@Test
	void oneOrderIsShippedAtATimeAndOthersAtTheSameTime(@Autowired Orders orders) {
		orders.setWork(() -> {
			this.locks.assertHeld("order:42");
			this.locks.assertFree("order:44");
		});
		this.locks.hold("order:43");
		assertThat(orders.ship(new Order(42))).isEqualTo("order 42 is shipped");
		this.locks.assertFree("order:42");
	}

	@Test
	void severalOrdersAreLockedTogether(@Autowired Orders orders) {
		orders.setWork(() -> {
			this.locks.assertHeld("order:1");
			this.locks.assertHeld("order:2");
		});
		orders.shipTogether(List.of(new Order(2), new Order(1)));
		this.locks.assertFree("order:1");
	}

	@Test
	void orderThatSomebodyElseShipsIsSkippedOrPostponed(@Autowired Orders orders) {
		orders.setWork(() -> this.locks.assertHeld("order:42"));
		assertThat(orders.shipUnlessBusy(new Order(42))).hasValue("order 42 is shipped");
		this.locks.hold("order:42");
		assertThat(orders.shipUnlessBusy(new Order(42))).isEmpty();
		assertThat(orders.shipOrPostpone(new Order(42))).isEqualTo("order 42 is postponed");
	}

	@Test
	void readersAreTogetherAndTheWriterIsAlone(@Autowired Prices prices) {
		LockHandle reader = this.locks.hold("prices", LockMode.READ, "another");
		assertThat(prices.price()).isEqualTo(120);
		CompletableFuture<Void> change = CompletableFuture.runAsync(() -> prices.change(130));
		this.locks.awaitWaiting("prices", 1);
		assertThat(change).isNotDone();
		reader.release();
		assertThat(change).succeedsWithin(Duration.ofSeconds(30));
		assertThat(prices.price()).isEqualTo(130);
	}

	@Test
	void transactionThatHasLostItsLockIsRolledBack(@Autowired Accounts accounts) {
		accounts.withdraw("alice", 10);
		assertThat(accounts.balance("alice")).isEqualTo(90);
		accounts.setWork(() -> this.locks.lose("account:alice"));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> accounts.withdraw("alice", 10));
		assertThat(accounts.balance("alice")).isEqualTo(90);
	}

	@Test
	void publisherAndFutureHoldTheLockUntilTheyAreDone(@Autowired Couriers couriers) throws InterruptedException {
		assertThat(couriers.send(7).block(Duration.ofSeconds(30))).isEqualTo("parcel 7: sent");
		CountDownLatch road = new CountDownLatch(1);
		couriers.executor().execute(() -> await(road));
		CompletableFuture<String> later = couriers.sendLater(7);
		this.locks.assertHeld("parcel:7");
		road.countDown();
		assertThat(later).succeedsWithin(Duration.ofSeconds(30)).isEqualTo("parcel 7: sent");
		this.locks.assertFree("parcel:7");
	}

	@Test
	void asManyPrintAsThereArePermits(@Autowired Labels labels) {
		LockRequest printer = LockRequest.of("label-printer").withPermits(2);
		LockOperations another = this.locks.another("another");
		LockHandle first = another.acquire(List.of(printer.withOwner(new Object())));
		labels.print("one");
		LockHandle second = another.acquire(List.of(printer.withOwner(new Object())));
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> labels.print("two"));
		first.release();
		second.release();
	}

	@Test
	void cachedLockExcludesLikeAnyOther(@Autowired Meter meter) {
		assertThat(meter.count()).isEqualTo(1);
		assertThat(meter.count()).isEqualTo(2);
		LockHandle other = this.locks.hold("meter:north");
		CompletableFuture<Integer> third = CompletableFuture.supplyAsync(meter::count);
		this.locks.awaitWaiting("meter:north", 1);
		other.release();
		assertThat(third).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(3);
	}

	@Test
	void lateWriteIsRefusedByItsToken(@Autowired StockStore store) {
		Runnable pause = () -> {
			this.locks.lose("stock:apple");
			CompletableFuture.runAsync(() -> store.set("apple", 7, () -> {
			}, 0)).orTimeout(30, TimeUnit.SECONDS).join();
		};
		assertThatExceptionOfType(OptimisticLockingFailureException.class)
			.isThrownBy(() -> store.set("apple", 3, pause, 0));
		assertThat(store.amount("apple")).isEqualTo(7);
	}

	@Test
	void codeTakesALockWithoutAnAnnotation(@Autowired Dispatch dispatch) {
		assertThat(dispatch.ship(List.of(1L, 2L))).containsExactly("order 1 dispatched", "order 2 dispatched");
	}

	@Test
	void everySnippetOfThePageIsAPieceOfTheApplication() throws IOException {
		String source = plain(
				Files.readString(ProjectModules.find("src/test/java/io/github/zklock/docs/RecipesApplication.java")));
		List<String> snippets = SNIPPET.matcher(Files.readString(Path.of("../docs/recipes.md")))
			.results()
			.map((match) -> match.group(1))
			.toList();
		assertThat(snippets).hasSizeGreaterThan(9).allSatisfy((snippet) -> assertThat(source).contains(plain(snippet)));
	}

	private static String plain(String code) {
		return code.lines().map(String::strip).filter((line) -> !line.isEmpty()).reduce("", (a, b) -> a + b + "\n");
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await(30, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
