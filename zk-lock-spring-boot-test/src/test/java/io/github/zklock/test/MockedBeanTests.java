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

import io.github.zklock.test.ShopApplication.Orders;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;

/**
 * A guarded bean can be a mock: the start-up check accepts it, and it takes no lock.
 */
@SpringBootTest(classes = ShopApplication.class)
@AutoConfigureZkLock
class MockedBeanTests {

	@MockitoBean
	Orders orders;

	@Autowired
	LockTesting locks;

	@Test
	void mockTakesNoLock() {
		assertThat(Mockito.mockingDetails(this.orders).isMock()).isTrue();
		given(this.orders.ship(42)).willReturn(7L);
		this.locks.hold("order:42");
		assertThat(this.orders.ship(42)).isEqualTo(7);
	}

}
