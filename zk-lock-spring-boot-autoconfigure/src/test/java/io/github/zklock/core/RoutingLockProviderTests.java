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

package io.github.zklock.core;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.test.InMemoryLockProvider;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RoutingLockProviderTests {

	private final InMemoryLockProvider byDefault = new InMemoryLockProvider();

	private final InMemoryLockProvider orders = new InMemoryLockProvider();

	private final LockTemplate locks = new LockTemplate(
			new RoutingLockProvider(Map.of(LockRequest.DEFAULT_CLIENT, this.byDefault, "orders", this.orders)));

	@Test
	void lockIsTakenFromTheProviderOfItsClient() {
		this.locks.execute(request("orders"), (handle) -> {
			assertThat(LockHandle.current().client()).isEqualTo("orders");
			assertThat(this.orders.keysInUse()).isEqualTo(1);
			assertThat(this.byDefault.keysInUse()).isZero();
			return null;
		});
		this.locks.execute(LockRequest.of("a"), (handle) -> {
			assertThat(handle.client()).isEqualTo(LockRequest.DEFAULT_CLIENT);
			assertThat(this.orders.keysInUse()).isZero();
			assertThat(this.byDefault.keysInUse()).isEqualTo(1);
			return null;
		});
	}

	@Test
	void asynchronousLockIsTakenFromTheProviderOfItsClient() {
		LockHandle handle = this.locks.acquireAsync(List.of(request("orders"))).join();
		assertThat(this.orders.keysInUse()).isEqualTo(1);
		assertThat(this.byDefault.keysInUse()).isZero();
		handle.release();
	}

	@Test
	void unknownClientIsRefusedWithThoseThatThereAre() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.locks.acquire(List.of(request("bills"))))
			.withMessageContaining("Lock 'a' (EXCLUSIVE) on client 'bills'")
			.withMessageContaining("orders")
			.withMessageContaining("default");
	}

	@Test
	void messagesNameTheClientUnlessItIsTheDefaultOne() {
		LockHandle mine = this.locks.acquire(List.of(request("orders").withOwner("me")));
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.locks.acquire(List.of(request("orders").withOwner("you").withWait(Duration.ZERO))))
			.withMessageStartingWith("Lock 'a' (EXCLUSIVE) on client 'orders' not acquired at once");
		this.orders.loseAll();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(mine::assertHeld)
			.withMessageStartingWith("Lock 'a' (EXCLUSIVE) on client 'orders' was lost");
		assertThat(LockRequest.of("a")).asString().startsWith("Lock 'a' (EXCLUSIVE) named");
	}

	@Test
	void sameKeyOfAnotherClientIsAnotherLock() {
		this.locks.execute(LockRequest.of("a").withMode(LockMode.READ), (outer) -> {
			// More than READ would be refused inside of READ.
			this.locks.execute(request("orders"), (inner) -> {
				assertThat(this.byDefault.keysInUse()).isEqualTo(1);
				assertThat(this.orders.keysInUse()).isEqualTo(1);
				return null;
			});
			assertThat(this.orders.keysInUse()).isZero();
			return null;
		});
	}

	@Test
	void callsUnderALockOfOneClientExcludeEachOtherByTheSameKeyOfAnother() {
		this.locks.executeAsync(LockRequest.of("a"), (outer) -> {
			LockHandle first = this.locks.acquireAsync(List.of(request("orders").withOwner(null))).join();
			CompletableFuture<LockHandle> second = this.locks
				.acquireAsync(List.of(request("orders").withWait(Duration.ZERO)));
			assertThat(second).completesExceptionallyWithin(Duration.ofSeconds(30))
				.withThrowableThat()
				.withCauseInstanceOf(LockNotAcquiredException.class);
			first.release();
			return CompletableFuture.completedFuture(null);
		}).join();
	}

	@Test
	void locksOfSeveralClientsAreHeldTogetherOrNotAtAll() {
		List<LockRequest> both = List.of(request("orders"), LockRequest.of("a"));
		LockHandle handle = this.locks.acquire(both);
		assertThat(handle.handles()).extracting(LockHandle::client).containsExactly("default", "orders");
		handle.release();
		LockHandle other = this.orders.acquire(request("orders").withOwner("other"));
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.locks.acquire(both.stream().map((one) -> one.withWait(Duration.ZERO)).toList()));
		assertThat(this.byDefault.keysInUse()).isZero();
		other.release();
	}

	@Test
	void providerOfSeveralClientsKeepsTheirKeysApart() {
		LockHandle one = this.byDefault.acquire(LockRequest.of("a").withOwner("me"));
		LockHandle other = this.byDefault.acquire(request("orders").withOwner("you").withWait(Duration.ZERO));
		assertThat(this.byDefault.keysInUse()).isEqualTo(2);
		one.release();
		other.release();
	}

	private static LockRequest request(String client) {
		return LockRequest.of("a").withClient(client);
	}

}
