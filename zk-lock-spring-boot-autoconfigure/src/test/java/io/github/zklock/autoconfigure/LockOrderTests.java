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

package io.github.zklock.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.github.zklock.autoconfigure.LockOrderBeans.Invoices;
import io.github.zklock.autoconfigure.LockOrderBeans.Orders;
import io.github.zklock.autoconfigure.LockOrderBeans.Stock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockScope;
import io.github.zklock.test.InMemoryLockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the warning of locks that are taken in different orders.
 */
@ExtendWith(OutputCaptureExtension.class)
class LockOrderTests {

	private static final String WARNING = "Locks are taken in different orders";

	private static final Runnable NOTHING = () -> {
	};

	@Test
	void warnsOnceAndNamesBothPlaces(CapturedOutput output) {
		run((beans) -> {
			for (int i = 0; i < 3; i++) {
				beans.orders.call(1, () -> beans.stock.call(2, NOTHING));
				beans.stock.call(3, () -> beans.orders.call(4, NOTHING));
			}
		});
		String thread = Thread.currentThread().getName();
		assertThat(warnings(output)).singleElement()
			.asString()
			.contains("WARN")
			.containsSubsequence(
					"'stock' inside 'order' (key 'stock:2' inside 'order:1', thread '" + thread
							+ "' at io.github.zklock.autoconfigure.LockOrder",
					"; but 'order' inside 'stock' (key 'order:4' inside 'stock:3', thread '" + thread
							+ "' at io.github.zklock.autoconfigure.LockOrder")
			.containsPattern("LockOrderTests\\.lambda.*\\(LockOrderTests.java:\\d+\\)\\); but ");
	}

	@Test
	void warnsOfACircleOfThree(CapturedOutput output) {
		run((beans) -> {
			beans.orders.call(1, () -> beans.stock.call(1, NOTHING));
			beans.stock.call(1, () -> beans.invoices.call(1, NOTHING));
			assertThat(output).doesNotContain(WARNING);
			beans.invoices.call(1, () -> beans.orders.call(1, NOTHING));
		});
		assertThat(warnings(output)).singleElement()
			.asString()
			.containsSubsequence("'stock' inside 'order'", "'invoice' inside 'stock'", "'order' inside 'invoice'");
	}

	@Test
	void warnsOfTheOrderOfThoseFurtherOutside(CapturedOutput output) {
		run((beans) -> {
			beans.orders.call(1, () -> beans.stock.call(1, () -> beans.invoices.call(1, NOTHING)));
			beans.invoices.call(1, () -> beans.orders.call(1, NOTHING));
		});
		assertThat(warnings(output)).singleElement().asString().contains("'invoice' inside 'order'");
	}

	@Test
	void warnsOfHandlesThatAThreadHolds(CapturedOutput output) {
		run((beans) -> {
			try (LockHandle order = beans.operations.acquire(named("order"))) {
				LockScope.call(order, (held) -> beans.operations.acquire(named("stock"))).close();
			}
			assertThat(output).doesNotContain(WARNING);
			beans.stock.call(1, () -> beans.operations.acquire(named("order")).close());
		});
		assertThat(warnings(output)).hasSize(1);
	}

	@Test
	void warnsOfFutures(CapturedOutput output) {
		run((beans) -> {
			CompletableFuture<String> done = CompletableFuture.completedFuture("done");
			beans.orders.future(1, () -> beans.stock.future(1, () -> done)).join();
			assertThat(output).doesNotContain(WARNING);
			beans.operations
				.executeAsync(named("stock"), (stock) -> beans.operations.executeAsync(named("order"), (order) -> done))
				.join();
		});
		assertThat(warnings(output)).hasSize(1);
	}

	@Test
	void warnsOfPublishersOnAnyThread(CapturedOutput output) {
		run((beans) -> {
			Mono<String> elsewhere = Mono.just("done").publishOn(Schedulers.parallel());
			beans.orders.mono(1, elsewhere.then(beans.stock.mono(1, elsewhere))).block();
			assertThat(output).doesNotContain(WARNING);
			beans.stock.mono(1, elsewhere.then(beans.orders.mono(1, elsewhere))).block();
		});
		assertThat(warnings(output)).hasSize(1);
	}

	@Test
	void acceptsWhatCannotBlock(CapturedOutput output) {
		run((beans) -> {
			beans.orders.call(1, () -> beans.stock.call(1, () -> beans.orders.call(1, NOTHING)));
			beans.orders.call(1, () -> beans.orders.call(2, NOTHING));
			beans.orders.callBoth(1, NOTHING);
			beans.orders.callBoth(1, () -> beans.stock.call(1, () -> beans.orders.call(1, NOTHING)));
			beans.stock.call(1, () -> beans.orders.tryCall(1, NOTHING));
			beans.stock.call(1, NOTHING);
			beans.orders.call(1, NOTHING);
		});
		assertThat(output).doesNotContain(WARNING);
	}

	@Test
	void forgetsWhatIsReleasedInAnyOrder(CapturedOutput output) {
		run((beans) -> {
			beans.orders.call(1, () -> beans.stock.call(1, NOTHING));
			LockHandle stock = beans.operations.acquire(named("stock"));
			LockHandle invoice = beans.operations
				.acquire(List.of(LockRequest.of("invoice:1").withName("invoice").withWait(Duration.ZERO)));
			stock.release();
			beans.orders.call(1, NOTHING);
			invoice.release();
			beans.operations.execute(named("stock"), (handle) -> {
				handle.release();
				beans.orders.call(1, NOTHING);
				return "done";
			});
		});
		assertThat(output).doesNotContain(WARNING);
	}

	@Test
	void ignoresLocksWithoutAName(CapturedOutput output) {
		run((beans) -> {
			LockRequest unnamed = LockRequest.of("any");
			beans.stock.call(1, () -> beans.operations.acquire(List.of(unnamed)).close());
			beans.operations.execute(unnamed, (handle) -> {
				beans.stock.call(1, NOTHING);
				return "done";
			});
		});
		assertThat(output).doesNotContain(WARNING);
	}

	private static List<LockRequest> named(String name) {
		return List.of(LockRequest.of(name + ":1").withName(name));
	}

	private static List<String> warnings(CapturedOutput output) {
		return output.toString().lines().filter((line) -> line.contains(WARNING)).toList();
	}

	private static void run(Consumer<Beans> body) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class))
			.withBean(InMemoryLockProvider.class)
			.withBean(Orders.class)
			.withBean(Stock.class)
			.withBean(Invoices.class)
			.run((context) -> body.accept(Beans.of(context)));
	}

	private record Beans(Orders orders, Stock stock, Invoices invoices, LockOperations operations) {

		static Beans of(ApplicationContext context) {
			return new Beans(context.getBean(Orders.class), context.getBean(Stock.class),
					context.getBean(Invoices.class), context.getBean(LockOperations.class));
		}

	}

}
