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

package io.github.zklock.zookeeper.node;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which nodes of a queue hold the lock, found in one pass.
 */
class QueueHoldersTests {

	@Test
	void holdersAreThoseThatFindThemselvesFirst() {
		Random random = new Random(30);
		for (int round = 0; round < 10_000; round++) {
			List<String> children = children(random);
			QueueHolders queue = QueueHolders.of(children);
			assertThat(queue.holders()).as(children.toString()).isEqualTo(holdersOneByOne(children, queue.nodes()));
		}
	}

	@Test
	void namesOfTenThousandReadersAreReadOnce() {
		Once names = new Once(IntStream.range(0, 10_000)
			.mapToObj((i) -> "z" + Integer.toHexString(i) + "-1-__READ__" + String.format("%010d", i))
			.toList());
		QueueHolders queue = QueueHolders.of(names);
		assertThat(queue.holders()).isEqualTo(10_000);
		assertThat(queue.nodes()).hasSize(10_000);
		assertThat(names.reads).as("how often a name was read").isEqualTo(10_000);
	}

	private static List<String> children(Random random) {
		List<String> children = new ArrayList<>();
		int kinds = 1 + random.nextInt(4);
		for (int i = random.nextInt(8); i >= 0; i--) {
			String contender = (random.nextInt(5) == 0) ? "_c_00000000-0000-0000-0000-00000000000" + i + "-"
					: "z" + random.nextInt(3) + "-" + i + "-";
			String infix = List.of("__READ__", "lock-", "p3-lock-", "__WRIT__").get(random.nextInt(kinds));
			// Only nodes of one holder of Curator's recipes have the same number.
			int sequence = 2 * random.nextInt(12) + ((contender + infix).matches("z.*p3.*") ? 1 : 0);
			children.add(contender + infix + String.format("%010d", sequence));
			if (random.nextInt(6) == 0) {
				children.add(contender + "1-" + (random.nextBoolean() ? "r" : "") + "least-1000-5");
			}
		}
		Collections.shuffle(children, random);
		return children;
	}

	private static int holdersOneByOne(List<String> children, List<QueueNode> nodes) {
		int holders = 0;
		for (QueueNode node : nodes) {
			QueueListing listing = QueueListing.of(children, node.name(),
					(stamp) -> ContenderNames.of(stamp).equals(ContenderNames.of(node.name())));
			boolean holds = node.equals(listing.own()) && listing.mismatch() == null && listing.nearestAhead().isEmpty()
					&& listing.stamps().stream().noneMatch((stamp) -> stamp.excludes(node.mode()));
			if (!holds) {
				return holders;
			}
			holders++;
		}
		return holders;
	}

	/**
	 * A list that counts how often an element is read.
	 */
	private static final class Once extends AbstractList<String> {

		private final List<String> names;

		private int reads;

		Once(List<String> names) {
			this.names = names;
		}

		@Override
		public String get(int index) {
			this.reads++;
			return this.names.get(index);
		}

		@Override
		public int size() {
			return this.names.size();
		}

	}

}
