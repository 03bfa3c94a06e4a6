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

import java.util.List;
import java.util.stream.Stream;

import io.github.zklock.core.LockMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who has to wait for whom, and which nodes to watch for it.
 */
class QueueListingTests {

	private static final String OWN = "z9f-e-";

	private static final String UUID = "0b1f7d4e-53c1-4a61-9d77-3f9a1c07e2d8";

	@Test
	void nodeSaysModeAndPermits() {
		assertThat(node("z9f-1-lock-0000000007"))
			.isEqualTo(new QueueNode("z9f-1-lock-0000000007", LockMode.EXCLUSIVE, 1, 7));
		assertThat(node("z9f-1-p12-lock-0000000007"))
			.isEqualTo(new QueueNode("z9f-1-p12-lock-0000000007", LockMode.EXCLUSIVE, 12, 7));
		assertThat(node("_c_" + UUID + "-lock-0000000008").permits()).isOne();
		assertThat(node("_c_" + UUID.replace("-", "") + "-lock-0000000008").sequence()).isEqualTo(8);
		assertThat(node("z9f-1-__READ__0000000009"))
			.isEqualTo(new QueueNode("z9f-1-__READ__0000000009", LockMode.READ, 1, 9));
		assertThat(node(UUID + "-__WRIT__0000000009"))
			.isEqualTo(new QueueNode(UUID + "-__WRIT__0000000009", LockMode.WRITE, 1, 9));
	}

	@ParameterizedTest
	@ValueSource(strings = { "leases", "", "z", "lock-", "lock-0000000001", "z9f-1-px-lock-0000000007",
			"z0-plock-0000000000", "z0-p__READ__0000000000", "zip-plock-0000000001", "z-plock-1", "z0-1-lock--1",
			"z0-1-lock--000000005", "z0-1-lock-000000001", "z0-1-lock-00000000001", "z0-1-lock-4294967296",
			"z0-1-p1-lock-0000000001", "z0-1-p0-lock-0000000001", "z0-1-p-5-lock-0000000001",
			"z0-1-p02-lock-0000000001", "z0-1-p4294967297-lock-0000000001", "z0-1-p\uff11\uff12-lock-0000000001",
			"z0-1-lock-\uff10\uff10\uff10\uff10\uff10\uff10\uff10\uff10\uff10\uff11", "z0-1-p2-__READ__0000000001",
			"z0-1-k-s-lock-0000000001", "Z0-1-lock-0000000001", "z0-1-LOCK-0000000001", "z0-1-lock-0000000001 ",
			" z0-1-lock-0000000001", "z0-1-lock-0000000001\n", "_c_77-lock-0000000008",
			"00000000000000000000000000000001-lock-0000000008", "_c_0000000000000000000000000000001-lock-0000000008",
			"_c_000000000000000000000000000000001-lock-0000000008", "other-lock-0000000001",
			"z0-1-lock-lock-0000000001" })
	void otherNamesAreNoContenders(String name) {
		assertThat(QueueNode.parse(name)).isNull();
		assertThat(QueueNode.isCacheable("/locks/key/" + name)).isFalse();
	}

	@Test
	void nodeWithTheUniqueBeginningOfAContenderIsAnother() {
		String another = OWN + "lock-0000000003";
		QueueListing queue = QueueListing.of(List.of(another, own(1, 5), OWN + "lock-0000000009"), own(1, 5),
				(stamp) -> false);
		assertThat(queue.own()).isNotNull();
		assertThat(watched(queue)).containsExactly(another);
		assertThat(queue.areOthersBehind()).isTrue();
		assertThat(QueueListing.of(List.of(another), own(1, 5), (stamp) -> false).own()).isNull();
	}

	@Test
	void onlyKnownStampsAreOwn() {
		List<String> children = List.of(own(1, 5), OWN + "1-least-60000-100", OWN + "2-least-60000-100");
		QueueListing queue = QueueListing.of(children, own(1, 5), (OWN + "2-least-60000-100")::equals);
		assertThat(queue.stamps()).extracting(AtLeastStamp::name).containsExactly(OWN + "1-least-60000-100");
	}

	@Test
	void onePermitWatchesTheLastOfThoseAhead() {
		QueueListing queue = view("z1-1-lock-0000000001", "z1-2-__WRIT__0000000002", own(1, 5), "z1-3-lock-0000000009");
		assertThat(watched(queue)).containsExactly("z1-2-__WRIT__0000000002");
		assertThat(queue.isOneAhead()).isFalse();
		QueueListing one = view("z1-1-lock-0000000001", own(1, 5));
		assertThat(watched(one)).containsExactly("z1-1-lock-0000000001");
		assertThat(one.isOneAhead()).isTrue();
		QueueListing many = view("z1-1-lock-0000000001", "z1-2-lock-0000000002", "z1-3-lock-0000000003",
				"z1-4-lock-0000000004", own(1, 5));
		assertThat(watched(many)).containsExactly("z1-4-lock-0000000004");
	}

	@Test
	void nobodyIsNextBehindAForeignWriterWhichMayBecomeAReaderInItsPlace() {
		assertThat(view("_c_00000000-0000-0000-0000-000000000001-__WRIT__0000000001", own(1, 5)).isOneAhead())
			.isFalse();
		QueueListing both = view("_c_00000000-0000-0000-0000-000000000001-__WRIT__0000000001",
				"_c_00000000-0000-0000-0000-000000000002-__READ__0000000001", own(1, 5));
		assertThat(both.isOneAhead()).isFalse();
		assertThat(both.ahead()).hasSize(2);
		assertThat(view("_c_00000000-0000-0000-0000-000000000002-__READ__0000000001", own(1, 5)).isOneAhead()).isTrue();
		assertThat(view("_c_00000000-0000-0000-0000-000000000003-lock-0000000001", own(1, 5)).isOneAhead()).isTrue();
		assertThat(view("z1-1-__WRIT__0000000001", own(1, 5)).isOneAhead()).isTrue();
	}

	@Test
	void nobodyIsNextBehindANodeThatLeavesAStamp() {
		assertThat(view("z1-1-s-lock-0000000001", own(1, 5)).isOneAhead()).isFalse();
		assertThat(view("z1-1-lock-0000000001", own(1, 5)).isOneAhead()).isTrue();
	}

	// A listing before the grant removes the stamp if its time is over.
	@Test
	void nobodyIsNextBesideAStamp() {
		assertThat(view("z1-1-lock-0000000001", own(1, 5), "z1-2-1-least-1500-100").isOneAhead()).isFalse();
		assertThat(view("z1-1-lock-0000000001", own(1, 5), "z1-2-1-rleast-1500-100").isOneAhead()).isFalse();
	}

	@Test
	void whoWillBeRefusedIsWatchedIfItIsTheNearest() {
		assertThat(watched(view("z1-1-lock-0000000001", "z1-2-p3-lock-0000000002", own(1, 5))))
			.containsExactly("z1-2-p3-lock-0000000002");
	}

	@Test
	void readerWatchesTheNearestWriterAhead() {
		QueueListing queue = view("z1-1-lock-0000000001", "z1-2-__WRIT__0000000002", "z1-3-__READ__0000000003",
				OWN + "__READ__0000000005");
		assertThat(watched(queue)).containsExactly("z1-2-__WRIT__0000000002");
	}

	@Test
	void lessThanItsPermitsAheadIsNobodyToWaitFor() {
		assertThat(watched(view(own(3, 5), "z1-1-p3-lock-0000000001", "z1-2-p3-lock-0000000003"))).isEmpty();
	}

	@Test
	void asManyNodesAreWatchedAsThereArePermits() {
		QueueListing queue = view("z1-4-p3-lock-0000000004", "z1-1-p3-lock-0000000001", own(3, 5),
				"z1-2-p3-lock-0000000002", "z1-3-p3-lock-0000000003", "z1-6-p3-lock-0000000006");
		assertThat(watched(queue)).containsExactly("z1-2-p3-lock-0000000002", "z1-3-p3-lock-0000000003",
				"z1-4-p3-lock-0000000004");
		assertThat(queue.mismatch()).isNull();
	}

	@Test
	void firstInTheQueueDecidesHowManyPermitsThereAre() {
		assertThat(mismatch(view("z1-1-p2-lock-0000000001", "z1-2-p3-lock-0000000002", own(3, 5)))).isEqualTo(2);
		assertThat(mismatch(view("z1-1-__READ__0000000001", own(3, 5)))).isEqualTo(1);
		assertThat(mismatch(view("z1-1-p2-lock-0000000001", "z1-2-lock-0000000002", own(1, 5)))).isEqualTo(2);
		assertThat(view(own(3, 5), "z1-1-p2-lock-0000000006").mismatch()).isNull();
	}

	@Test
	void whoWillBeRefusedIsWaitedForSinceItMayBecomeTheFirst() {
		QueueListing queue = view("z1-1-p3-lock-0000000001", "z1-2-p5-lock-0000000002", "z1-3-p3-lock-0000000003",
				own(3, 5));
		assertThat(queue.mismatch()).isNull();
		assertThat(watched(queue)).containsExactly("z1-2-p5-lock-0000000002");
		QueueListing reader = view("z1-1-__READ__0000000001", "z1-2-p5-lock-0000000002", "z1-3-__READ__0000000003",
				OWN + "__READ__0000000005");
		assertThat(reader.mismatch()).isNull();
		assertThat(watched(reader)).containsExactly("z1-2-p5-lock-0000000002");
	}

	@Test
	void plainRecipeAheadIsNeverRefusedSoItIsAMismatch() {
		assertThat(mismatch(
				view("z1-1-p3-lock-0000000001", "_c_00000000-0000-0000-0000-000000000002-lock-0000000002", own(3, 5))))
			.isEqualTo(1);
	}

	private static QueueListing view(String... children) {
		String own = Stream.of(children).filter((child) -> child.startsWith(OWN)).findFirst().orElseThrow();
		return QueueListing.of(List.of(children), own, (stamp) -> false);
	}

	private static String own(int permits, int sequence) {
		return OWN + ((permits > 1) ? "p" + permits + "-" : "") + "lock-000000000" + sequence;
	}

	private static List<String> watched(QueueListing queue) {
		return queue.nearestAhead().stream().map(QueueNode::name).toList();
	}

	private static int mismatch(QueueListing queue) {
		assertThat(queue.mismatch()).isNotNull();
		return queue.mismatch().permits();
	}

	private static QueueNode node(String name) {
		QueueNode node = QueueNode.parse(name);
		assertThat(node).isNotNull();
		return node;
	}

}
