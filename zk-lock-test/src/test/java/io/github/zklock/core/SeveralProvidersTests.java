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
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The same key of two providers is two locks.
 */
class SeveralProvidersTests {

	private static final LockRequest REQUEST = LockRequest.of("a").withWait(Duration.ZERO);

	private final InMemoryLockProvider stock = new InMemoryLockProvider();

	private final InMemoryLockProvider orders = new InMemoryLockProvider();

	@Test
	void sameKeyIsTakenFromEachProviderAndEnteredAgainByAFuture() {
		assertThat(under(this.stock, () -> under(this.orders, this::inUse)).join()).isEqualTo("1 1");
		assertThat(under(this.orders,
				() -> under(this.stock, () -> under(this.orders, () -> under(this.stock, this::inUse))))
			.join()).isEqualTo("1 1");
		assertThat(inUse().join()).isEqualTo("0 0");
	}

	private CompletableFuture<String> inUse() {
		return CompletableFuture.completedFuture(this.stock.keysInUse() + " " + this.orders.keysInUse());
	}

	private static CompletableFuture<String> under(LockProvider provider, Supplier<CompletableFuture<String>> body) {
		return new LockTemplate(provider).executeAsync(REQUEST, (handle) -> body.get());
	}

}
