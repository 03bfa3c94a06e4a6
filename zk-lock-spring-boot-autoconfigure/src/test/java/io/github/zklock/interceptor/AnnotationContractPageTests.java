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

package io.github.zklock.interceptor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page that lists the {@link ProxyContract}, which is made of its rows.
 */
class AnnotationContractPageTests {

	private static final Path PAGE = Path.of("..", "docs", "internals", "annotation-contract.md");

	private static final String REWRITE = "zk-lock.docs.rewrite";

	private static final String INTRODUCTION = """
			# What happens around a `@DistributedLock` method

			Each line is a test that runs on Spring Boot 3.5 and 4.1, with each kind of proxy that the last column
			names: CGLIB with and without AspectJ on the class path, and JDK proxies of interfaces. What happens is
			listed in its order; "lock `a`" is the moment at which the lock of the key `a` is held.

			""";

	private static final String NOTES = """

			* The position of the lock is `zk-lock.aop.order`, by default `Ordered.LOWEST_PRECEDENCE - 100`: outside of what
			  has the lowest precedence, like transactions, caches and Spring Retry, and inside of what decides before,
			  like method security. What is to surround the lock needs a smaller order.
			* To cancel a future or a publisher stops waiting for the lock, but does not end it under work that goes on: a
			  future keeps it until the method's own future completes, a publisher until no thread of Reactor's schedulers is at
			  work in it. Work of a publisher elsewhere, on another executor or a dispatcher of Kotlin, is not seen: return a
			  `CompletableFuture` that completes when the work is done.
			* `doFinally` in the method runs when the end has been told, so without the lock; `doOnTerminate` and what
			  `Mono.usingWhen` does at the end run under it.
			* `@Validated` comes inside of the lock, since Spring puts it inside of everything: so a result that is not valid rolls
			  the transaction back. zk-lock leaves that as it is. To refuse arguments before the lock is taken and its key
			  computed, declare a `MethodValidationPostProcessor` with `setBeforeExistingAdvisors(true)`: validation is then
			  around all advice, the transaction and method security included. What Spring MVC and WebFlux validate themselves, for
			  controllers without `@Validated` on the class, comes before the lock.
			* A call with `@Fenced` raises its fence right after its lock was acquired, and before a transaction. What such a call
			  needs and what it refuses is on the [page of fences](../fencing.md).
			* A call that does not get its lock has neither begun a transaction nor asked the cache.
			* What a proxy cannot do stops the start-up: private, static and final methods, final classes, calls on `this`; and so
			  does a second auto-proxy creator, by which a call would take its lock twice.
			""";

	private static final String TICKS = """

			## Ticks

			A guarded method that Spring's scheduler calls by a `cron` expression runs at most once per tick in the whole
			cluster, and exactly once if no node fails and the key is free. The tick is the time that the scheduler has planned;
			it is recorded in ZooKeeper, for each key and method, before the method runs.

			* **What is a tick.** A call by the scheduler of a method with `@Scheduled`, also `@Async`, and each
			  subscription if it returns a publisher or suspends; of a task that the application gives to the
			  `ScheduledTaskRegistrar` itself, the first guarded call. Another attempt of a retry is the same tick. Calls by
			  hand, from other methods and from within are none: they take the lock and run. So are calls of a method with
			  parameters that has the name of the scheduled one.
			* **What is none.** A one-time task (`initialDelay` alone), a task with a `Trigger` that is no `CronTrigger`, and what
			  the application gives to a `TaskScheduler` bean itself: each node that gets the lock runs it.
			* **A publisher** of a `@Scheduled` method is asked for once, since Spring calls such a method at the start and
			  subscribes at each tick: its key, `permits` and `condition` are evaluated at the start, for all runs.
			* **By default** with `EXCLUSIVE` or `WRITE`, one permit, no `cache` and no `lockAtLeastFor`. `@OncePerTick` says
			  otherwise, and `zk-lock.locks.<name>.once-per-tick` is preferred to both; `true` for a lock that cannot have
			  ticks stops the start-up.
			* **What has run stays so**, also if the method throws, is cancelled or its node dies in the middle.
			* **`recoverWithin`** repeats a tick of a cron expression whose node died or was shut down in the middle, and runs
			  one that no node ran. The call comes from the scheduler of the task. Without a lock, as with a condition that is
			  false, it does not call the method. A refused call of this kind calls no fallback method and throws nothing.
			* **Clocks** name ticks and decide nothing. Each tick runs at most once, on the node whose clock is ahead of the
			  others. The exception is a node that is more than a minute ahead of the leader of the ensemble: it may run a tick
			  twice, which a WARN says. Nodes in different time zones have different ticks, so say `zone` in `@Scheduled`.
			* **Two beans of one class** with one key share their ticks: one of them runs.
			* **A key that is taken** throughout, by hand or by a tick before, leaves a tick to nobody; a `waitMs` lets it wait.
			* **`fixedRate`, `fixedDelay`** have no time in common. The node that runs keeps the other nodes out for 0.9 of the
			  period, from the grant and again from the end of the run, and follows its own schedule. Not below a period of a
			  second, unless the property says so.
			* **A record under way** is waited for: the request ends at its timeout only if no record was sent, else with the
			  answer, or one session timeout later.
			* **Several keys**: the tick is recorded for the last key in alphabetical order, when all of them are held.
			* **Nested locks** of one key: neither a tick nor a `lockAtLeastFor` of the nested call has an effect. A WARN says so.
			* **The name of a tick** is the class and the method, not the key, the name of the lock or the expression.
			* **Cost.** A run costs a write and a round trip more than a plain lock. A skip costs one read.
			* **What stays in ZooKeeper** is one small node for each key and method (for a key with `#{}`, for each of its values),
			  `~job~<job>`. It has the last run and 20 runs before it. Curator's locks work beside it.
			""";

	@Test
	void pageListsTheContract() throws IOException {
		String page = page();
		if (Boolean.getBoolean(REWRITE)) {
			Files.createDirectories(PAGE.getParent());
			Files.writeString(PAGE, page);
		}
		assertThat(Files.exists(PAGE) ? Files.readString(PAGE) : "")
			.as("docs/internals/annotation-contract.md has to be made again of the contract: mvn -pl zk-lock-spring-boot-autoconfigure test "
					+ "-Dtest=AnnotationContractPageTests -D" + REWRITE + "=true")
			.isEqualTo(page);
	}

	private static String page() {
		return INTRODUCTION
				+ table("Where the annotation is",
						Stream.of(ProxyContract.methods(), ProxyContract.inherited(), ProxyContract.types())
							.flatMap((rows) -> rows))
				+ "\n"
				+ table("What else is on the method",
						Stream.of(ProxyContract.neighbours(), ProxyContractFences.rows(), ProxyContract.retries())
							.flatMap((rows) -> rows))
				+ "\n" + table("What the method returns", ProxyContractOutcomes.results()) + "\n"
				+ table("Whether the method runs", ProxyContractOutcomes.answers()) + "\n"
				+ table("Where the method is called", ProxyContractOutcomes.surroundings()) + "\n"
				+ table("What calls the method", ProxyContractTicks.rows()) + NOTES + TICKS;
	}

	private static String table(String title, Stream<ProxyContractRow<?>> rows) {
		return rows.map(ProxyContractRow::toMarkdown)
			.collect(Collectors.joining("\n", "| " + title + " | What happens | Proxies |\n|---|---|---|\n", "\n"));
	}

}
