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

package io.github.zklock.zookeeper.session;

import io.github.zklock.core.LockMode;
import io.github.zklock.zookeeper.node.QueueNode;
import io.github.zklock.zookeeper.session.QuietQueues.QuietQueue;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class QuietQueueTests {

	private final QuietQueue queue = new QuietQueue(System::nanoTime);

	private long transaction = 100;

	@Test
	void nothingIsExpectedBeforeTheDirectoryIsWatched() {
		leave(1);
		leave(2);
		assertThat(this.queue.expect()).isNull();
		this.queue.watched(50);
		assertThat(isExpected(3)).isTrue();
	}

	@Test
	void nothingIsExpectedOfADirectoryThatIsYoungerThanTheNode() {
		leave(1);
		leave(2);
		this.queue.watched(this.transaction);
		assertThat(this.queue.expect()).isNull();
		leave(3);
		assertThat(isExpected(4)).isTrue();
	}

	@Test
	void nodeThatIsGivenBackLateIsOfNoInterest() {
		watchAndUse();
		this.queue.departed(7, 60, true);
		assertThat(isExpected(3)).isTrue();
	}

	@Test
	void nothingIsExpectedOnceSomebodyWaited() {
		watchAndUse();
		this.queue.departed(3, ++this.transaction, false);
		assertThat(this.queue.expect()).isNull();
		leave(4);
		assertThat(isExpected(5)).isTrue();
	}

	@Test
	void expectationEndsWithTheDirectory() {
		watchAndUse();
		QuietQueue.Expectation expected = this.queue.expect();
		assertThat(expected).isNotNull();
		this.queue.end();
		assertThat(expected.isMet(path(3))).isFalse();
		assertThat(this.queue.expect()).isNull();
	}

	@Test
	void numbersThatWrapEndIt() {
		this.queue.watched(50);
		leave(QueueNode.MAX_SEQUENCE - 1);
		leave(QueueNode.MAX_SEQUENCE);
		assertThat(isExpected(QueueNode.MAX_SEQUENCE + 1)).isFalse();
	}

	@Test
	void eachDisappointmentTakesMorePatience() {
		watchAndUse();
		int number = 2;
		for (int patience : new int[] { 4, 16, 64, 64 }) {
			assertThat(isExpected(number + 2)).isFalse();
			number += 10;
			leave(number);
			int waited = 0;
			for (; this.queue.expect() == null; waited++) {
				leave(++number);
			}
			assertThat(waited).isEqualTo(patience);
		}
	}

	private void watchAndUse() {
		this.queue.watched(50);
		leave(1);
		leave(2);
	}

	private void leave(long number) {
		this.queue.departed(number, ++this.transaction, true);
	}

	private boolean isExpected(long number) {
		QuietQueue.Expectation expected = this.queue.expect();
		assertThat(expected).isNotNull();
		return expected.isMet(path(number));
	}

	private static String path(long number) {
		return "/locks/key/0123456789abcdef0123456789abcdef-1-" + QueueNode.infix(LockMode.WRITE, 1)
				+ "%010d".formatted(number);
	}

}
