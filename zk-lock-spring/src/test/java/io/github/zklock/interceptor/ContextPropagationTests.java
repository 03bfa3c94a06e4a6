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

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.internal.LockScope;
import io.github.zklock.interceptor.ReactiveMethodBeans.Orders;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Locks with the automatic context propagation of Reactor, which
 * {@code spring.reactor.context-propagation=auto} turns on.
 */
class ContextPropagationTests {

	private static final Duration BOUND = Duration.ofSeconds(30);

	private final GuardedProxy proxy = new GuardedProxy();

	private final Orders orders = this.proxy.of(new Orders());

	@BeforeEach
	void turnOn() {
		Hooks.enableAutomaticContextPropagation();
	}

	@AfterEach
	void turnOff() {
		Hooks.disableAutomaticContextPropagation();
	}

	@Test
	void operatorsOfAGuardedPublisherRunUnderItsLock() {
		Mono<String> body = Mono.fromSupplier(ContextPropagationTests::current)
			.publishOn(Schedulers.parallel())
			.map((before) -> before + " " + current())
			.flatMap((before) -> Mono.fromFuture(CompletableFuture.supplyAsync(() -> before)))
			.map((before) -> before + " " + current());
		assertThat(this.orders.mono(() -> body).block(BOUND)).isEqualTo("mono mono mono");
	}

	@Test
	void operatorsOfTheCallerRunUnderTheLocksOfTheCaller() {
		Mono<String> result = this.orders.mono(() -> Mono.just("done").publishOn(Schedulers.parallel()))
			.map((done) -> done + " " + current());
		assertThat(result.block(BOUND)).isEqualTo("done none");
		assertThat(result.subscribeOn(Schedulers.parallel()).block(BOUND)).isEqualTo("done none");
		Mono<String> outer = Mono.defer(() -> result);
		assertThat(this.orders.once(() -> outer).block(BOUND)).isEqualTo("done once");
	}

	@Test
	void lockInAnOperatorIsPartOfTheLockAroundIt() {
		LockTemplate template = new LockTemplate(this.proxy.provider());
		LockRequest same = LockRequest.of("mono").withWait(Duration.ZERO);
		Mono<String> body = Mono.just("again")
			.publishOn(Schedulers.boundedElastic())
			.map((value) -> template.execute(same, (handle) -> value + " " + handle.key()));
		assertThat(this.orders.mono(() -> body).block(BOUND)).isEqualTo("again mono");
	}

	@Test
	void operatorsOnTheThreadOfALockRunUnderIt() {
		LockTemplate template = new LockTemplate(this.proxy.provider());
		String found = template.execute(LockRequest.of("blocking"),
				(handle) -> Mono.fromSupplier(ContextPropagationTests::current).block(BOUND) + " " + current());
		assertThat(found).isEqualTo("blocking blocking");
	}

	@Test
	void taskOnAnotherThreadDoesNotRunUnderTheLockOfAThread() {
		LockTemplate template = new LockTemplate(this.proxy.provider());
		template.execute(LockRequest.of("blocking"), (handle) -> {
			ContextSnapshot snapshot = ContextSnapshotFactory.builder().build().captureAll();
			Supplier<String> task = () -> {
				try (ContextSnapshot.Scope scope = snapshot.setThreadLocals()) {
					return current();
				}
			};
			assertThat(CompletableFuture.supplyAsync(task).join()).isEqualTo("none");
			assertThat(task.get() + " " + current()).isEqualTo("blocking blocking");
			return null;
		});
	}

	@Test
	void taskThatBeginsAfterTheReleaseDoesNotRunUnderTheLock() {
		List<ContextSnapshot> captured = new CopyOnWriteArrayList<>();
		this.orders.mono(() -> Mono.fromSupplier(() -> {
			captured.add(ContextSnapshotFactory.builder().build().captureAll());
			return current();
		}).publishOn(Schedulers.parallel())).block(BOUND);
		try (ContextSnapshot.Scope scope = captured.get(0).setThreadLocals()) {
			assertThat(current()).isEqualTo("none");
		}
	}

	private static String current() {
		return (LockScope.ofThread() != null) ? LockHandle.current().key() : "none";
	}

}
