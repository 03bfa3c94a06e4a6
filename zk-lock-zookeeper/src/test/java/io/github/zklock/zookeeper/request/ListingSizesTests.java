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

package io.github.zklock.zookeeper.request;

import io.github.zklock.zookeeper.request.RequestCombiner.ListingSizes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Few long listings are asked for together, many short ones are.
 */
class ListingSizesTests {

	private static final int LARGEST_PACKET = 1024 * 1024;

	private final ListingSizes sizes = new ListingSizes();

	@Test
	void manyShortListingsGoTogether() {
		for (int i = 0; i < 1000; i++) {
			this.sizes.seen(100);
		}
		assertThat(this.sizes.together()).isGreaterThanOrEqualTo(100);
	}

	@Test
	void longListingsFitIntoAPacketTwice() {
		for (int size = 1000; size < LARGEST_PACKET; size *= 2) {
			this.sizes.seen(size);
			assertThat(this.sizes.together() * size * 2).as("%d bytes each", size)
				.isLessThanOrEqualTo(Math.max(LARGEST_PACKET, 2 * size));
		}
		assertThat(this.sizes.together()).isOne();
	}

	@Test
	void longListingIsForgottenWhenManyShortOnesHaveFollowed() {
		this.sizes.seen(LARGEST_PACKET / 2);
		this.sizes.seen(100);
		assertThat(this.sizes.together()).isOne();
		for (int i = 0; i < 10_000; i++) {
			this.sizes.seen(100);
		}
		assertThat(this.sizes.together()).isGreaterThanOrEqualTo(100);
	}

	@Test
	void lostListingsAreAskedForInSmallerNumbersUntilTheyAreAlone() {
		int together = this.sizes.together();
		while (together > 1) {
			this.sizes.doNotFit();
			assertThat(this.sizes.together()).isLessThan(together);
			together = this.sizes.together();
		}
		this.sizes.doNotFit();
		assertThat(this.sizes.together()).isOne();
	}

}
