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

import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.test.ShopApplication.Orders;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A lock of {@code docs/testing.md} that has no wait in tests.
 */
@SpringBootTest(properties = "zk-lock.locks.billing.wait=0")
@AutoConfigureZkLock
@ContextConfiguration(classes = ShopApplication.class)
class NoWaitTests {

	@Autowired
	LockTesting locks;

	@Autowired
	Orders orders;

	@Test
	void methodThatFindsItsKeyHeldDoesNotWait() {
		this.locks.hold("order:42");
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.orders.invoice(42))
			.withMessageContaining("not acquired at once");
	}

}
