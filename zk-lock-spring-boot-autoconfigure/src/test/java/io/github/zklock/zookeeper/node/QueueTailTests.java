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

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.github.zklock.zookeeper.node.QueueListing.Tail;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a process that has left a queue knows of it when it comes back.
 */
class QueueTailTests {

	private static final String OWN = "z9f-e-";

	private static final String PATH = "/locks/key/" + OWN + "lock-00000000";

	@Test
	void fewThatAreKnownMakeTheLastButOneTheNodeToWatch() {
		assertThat(nearest(tail(1), 12)).isEqualTo(11);
		assertThat(nearest(tail(2), 13)).isEqualTo(11);
		assertThat(nearest(tail(3), 14)).isEqualTo(12);
	}

	@Test
	void fewOfWhomOneIsUnseenMakeTheLastThatIsKnownTheNodeToWatch() {
		assertThat(nearest(tail(1), 13)).isEqualTo(11);
		assertThat(nearest(tail(2), 14)).isEqualTo(12);
		assertThat(tail(3).nearestBefore(PATH + 15)).isNull();
	}

	@Test
	void ofManyTheLastOneIsWatched() {
		assertThat(nearest(tail(4), 15)).isEqualTo(14);
		assertThat(nearest(tail(9), 20)).isEqualTo(19);
		assertThat(tail(9).nearestBefore(PATH + 21)).isNull();
	}

	@Test
	void severalThatAreUnseenHaveToBeLookedFor() {
		assertThat(tail(1).nearestBefore(PATH + 14)).isNull();
	}

	@Test
	void whoeverIsNextKnowsThoseBehindItToo() {
		Tail tail = tailOf("z1-1-lock-0000000009", "z1-2-lock-0000000011", "z1-3-lock-0000000012");
		assertThat(tail.next().sequence()).isEqualTo(11);
		assertThat(nearest(tail, 14)).isEqualTo(12);
		assertThat(Tail
			.of(view("z1-1-lock-0000000008", "z1-2-lock-0000000009", OWN + "lock-0000000010", "z1-3-lock-0000000011")))
			.isNull();
	}

	@Test
	void moreThanTheirOrderCountsForReadersPermitsAndStamps() {
		assertThat(Tail.of(view(OWN + "__READ__0000000010", "z1-1-lock-0000000011"))).isNull();
		assertThat(Tail.of(view(OWN + "p3-lock-0000000010", "z1-1-p3-lock-0000000011"))).isNull();
		assertThat(Tail.of(view(OWN + "lock-0000000010", "z1-1-p3-lock-0000000011", "z1-2-lock-0000000012"))).isNull();
		assertThat(Tail.of(view(OWN + "lock-0000000010", "z1-1-lock-0000000011", "z1-2-p3-lock-0000000012"))).isNull();
		assertThat(Tail.of(view(OWN + "s-lock-0000000010", "z1-1-lock-0000000011"))).isNull();
		assertThat(Tail.of(view(OWN + "lock-0000000010", "z1-1-lock-0000000011", "z1-2-0-least-500-10"))).isNull();
	}

	@Test
	void whoeverIsAloneHasNobodyToReckonWithUnlessItIsNext() {
		assertThat(Tail.of(view(OWN + "lock-0000000010"))).isNull();
		Tail tail = tailOf("z1-1-lock-0000000009");
		assertThat(tail.size()).isZero();
		assertThat(tail.nearestBefore(PATH + 11)).isNull();
		assertThat(tail.nearestBefore(PATH + 12)).isNull();
	}

	private static Tail tail(int followers) {
		return tailOf(IntStream.rangeClosed(11, 10 + followers)
			.mapToObj((sequence) -> "z1-1-lock-00000000" + sequence)
			.toArray(String[]::new));
	}

	private static Tail tailOf(String... others) {
		List<String> children = new ArrayList<>(List.of(others));
		children.add(OWN + "lock-0000000010");
		Tail tail = Tail.of(QueueListing.of(children, OWN));
		assertThat(tail).isNotNull();
		return tail;
	}

	private static QueueListing view(String... children) {
		return QueueListing.of(List.of(children), OWN);
	}

	private static long nearest(Tail tail, int sequence) {
		QueueNode nearest = tail.nearestBefore(PATH + sequence);
		assertThat(nearest).isNotNull();
		return nearest.sequence();
	}

}
