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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.zklock.core.spi.LockProvider;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Those who wait are served in their order, whatever their process and mode.
 */
public abstract class AbstractLockOrderTests extends AbstractLockContract {

	@Test
	void waitersAreServedInTheOrderOfTheirArrival() {
		LockHandle holder = first(LockMode.EXCLUSIVE);
		List<Integer> order = new CopyOnWriteArrayList<>();
		List<Integer> expected = new ArrayList<>();
		for (int i = 0; i < 6; i++) {
			int number = i;
			LockProvider provider = (i % 2 == 0) ? backend().second() : backend().first();
			provider.acquireAsync(request(LockMode.values()[i % 3], PATIENCE)).thenAccept((handle) -> {
				order.add(number);
				handle.releaseAsync();
			});
			backend().awaitMembers(key(), i + 2);
			expected.add(number);
		}
		holder.release();
		eventually().until(() -> order.size() == expected.size());
		assertThat(order).isEqualTo(expected);
	}

}
