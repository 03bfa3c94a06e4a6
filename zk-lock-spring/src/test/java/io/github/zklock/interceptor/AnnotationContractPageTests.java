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

			Each line is a test that runs on Spring Boot 3.5 and 4.1, with each kind of proxy in the last column. (The line of
			Spring Framework 7 runs on 4.1 only.) `CGLIB` is tested with and without AspectJ on the class path, `JDK` with proxies
			of interfaces. The events are listed in their order. "lock `a`" is the moment at which the lock of the key `a` is held.

			""";

	private static final String NOTES = """

			* The position of the lock is `zk-lock.aop.order`, by default `Ordered.LOWEST_PRECEDENCE - 100`. The lock surrounds
			  advice with the lowest precedence, like transactions, caches and Spring Retry. Advice that decides before, like
			  method security, surrounds the lock. Advice that is to surround the lock needs a smaller order.
			* A cancelled future or publisher does not wait for the lock any more. Work that goes on keeps its lock. A future
			  keeps it until the method's own future completes, a publisher while a thread of Reactor's schedulers works in it.
			  Work of a publisher on another executor or a dispatcher of Kotlin does not count. For such work, return a
			  `CompletableFuture` that completes at its end.
			* `doFinally` in the method runs after the end was reported, so without the lock. `doOnTerminate` and the end of
			  `Mono.usingWhen` run under it.
			* `@Validated` comes within the lock, since Spring puts it within all other advice. So an invalid result rolls the
			  transaction back. To refuse arguments before the lock, declare a `MethodValidationPostProcessor` with
			  `setBeforeExistingAdvisors(true)`. Validation then surrounds all advice, even the transaction and method security.
			  Spring MVC and WebFlux validate controllers without `@Validated` on the class before the lock.
			* A call with `@Fenced` raises its fence right after its lock was acquired, and before a transaction. The needs and
			  refusals of such a call are on the [page of fences](../fencing.md).
			* A call that does not get its lock has neither begun a transaction nor asked the cache.
			* A method that a proxy cannot guard stops the startup: private, static and final methods, and final or sealed
			  classes. With `asm-analysis` on the class path, a call on `this` does so as well. So does a second auto-proxy
			  creator, with which a call would take its lock twice.
			""";

	private static final String TICKS = """

			## Ticks

			A guarded method that Spring's scheduler calls for a `cron` expression runs at most once per tick in the whole
			cluster. (`recoverWithin` may repeat it.) It runs exactly once if no node fails, the key is free and ZooKeeper answers
			in time. The tick is the time that the scheduler has planned. It is recorded in ZooKeeper, for each key and method,
			before the method runs.

			* **Calls with a tick.** Each call by the scheduler of a method with `@Scheduled` is one, even with `@Async`. If the
			  method returns a publisher or suspends, each subscription is one. If the application gives a task to the
			  `ScheduledTaskRegistrar`, its first guarded call is one. A retry belongs to the same tick.
			* **Calls without a tick.** Calls by hand, from other methods and from within take the lock and run. So do calls of
			  a method with parameters that has the name of the scheduled one. A one-time task (`initialDelay` alone) has no
			  tick, nor has a task with a `Trigger` that is no `CronTrigger`. A task that the application gives to a
			  `TaskScheduler` bean has none, either. Each node that gets the lock runs it.
			* **A publisher** of a `@Scheduled` method is requested once, since Spring calls such a method at the start and
			  subscribes at each tick. So its key, `permits` and `condition` are evaluated at the start, for all runs.
			* **The default** has ticks with `EXCLUSIVE` or `WRITE`, one permit, no `cache` and no `lockAtLeastFor`.
			  `@OncePerTick` overrides it, and `zk-lock.locks.<name>.once-per-tick` overrides both. The value `true` stops the
			  startup for a lock that cannot have ticks.
			* **A run counts** even if the method throws, is cancelled, or its node dies in the middle.
			* **`recoverWithin`** repeats a tick of a cron expression whose run did not come to its end. It also runs a tick that
			  no node ran. The call comes from the scheduler of the task. Without a lock, as with a condition that is false, it
			  does not call the method. A refused call of this kind calls no fallback method, and throws nothing without
			  `onUnavailable = THROW`.
			* **`shards`** splits a tick of a cron expression. The node shares the key (mode `READ`), and calls the task once for each free
			  shard. The lock of a shard is `EXCLUSIVE`, with `#` and the number behind the key. A shard that is refused calls no
			  fallback method, and throws nothing without `onUnavailable = THROW`. If the key is taken, or the job is paused, the
			  call is refused as any other one.
			  A call by code has no shards.
			* **Clocks** name ticks and decide nothing. Each tick runs at most once, usually on the node whose clock is ahead of
			  the others. A node that is more than a minute ahead of the leader of the ensemble is an exception. It may run a tick
			  twice, which a WARN reports. Nodes in different time zones have different ticks, so set `zone` in `@Scheduled`.
			* **Two beans of one class** with one key share the ticks of a cron expression: one of them runs. With `fixedRate` or
			  `fixedDelay` both would run, so the startup is refused. Beans with keys of their own are jobs of their own.
			* **A key that is taken** throughout, by hand or by a tick before, makes all nodes skip the tick. A `waitMs` lets them
			  wait.
			* **`fixedRate`, `fixedDelay`** have no time in common. The node that runs excludes the other nodes for 0.9 of the
			  period, from the grant and again from the end of the run. It follows its own schedule. Periods of less than a
			  second have no ticks, unless `@OncePerTick` or the property sets them.
			* **A record under way** delays the end of a request. If no record was sent, the request ends at its timeout. Else it
			  ends with the answer, or one session timeout later.
			* **Several keys**: the tick is recorded for the last key (capitals sort first), when all of them are held. A node
			  with another last key runs the tick again. A WARN for each method says so if that key is computed.
			* **Nested locks** of one key: neither a tick nor a `lockAtLeastFor` of the nested call has an effect. A WARN
			  says so, one for each job and one for each name of a lock.
			* **The identity of a job** is the key together with the explicit `name` of its first lock. Without a name, class and
			  method take its place. The expression is no part of it. Two jobs with one explicit name stop the startup.
			* **Cost.** A run costs a write and two round trips more than a plain lock. A skip costs one read.
			* **In ZooKeeper** one small node stays for each key and method, `~job~<job>`. A key with `#{}` has one for each of its
			  values. It has the last run and up to 20 runs before it. Curator's locks work beside it.
			""";

	@Test
	void pageListsTheContract() throws IOException {
		String page = page();
		if (Boolean.getBoolean(REWRITE)) {
			Files.createDirectories(PAGE.getParent());
			Files.writeString(PAGE, page);
		}
		assertThat(Files.exists(PAGE) ? Files.readString(PAGE) : "")
			.as("docs/internals/annotation-contract.md has to be made again of the contract: mvn -pl zk-lock-spring -am test "
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
