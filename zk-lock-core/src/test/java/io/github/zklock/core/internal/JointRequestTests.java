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

package io.github.zklock.core.internal;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class JointRequestTests {

	@Test
	void requestsForOneKeyAreMerged() {
		LockRequest weak = LockRequest.of("a").withMode(LockMode.READ).withLockAtLeastFor(Duration.ofSeconds(3));
		LockRequest strong = LockRequest.of("a").withMode(LockMode.WRITE).withReentrant(false).withName("strong");
		for (List<LockRequest> both : List.of(List.of(weak, strong), List.of(strong, weak))) {
			assertThat(JointRequest.of(both).requests()).containsExactly(
					strong.withLockAtLeastFor(Duration.ofSeconds(3)).withReentrant(false).withCache(false));
		}
	}

	@Test
	void lockIsCachedIfAllWhoRequestItSaySo() {
		LockRequest cached = LockRequest.of("a").withCache(true);
		LockRequest kept = LockRequest.of("a").withLockAtLeastFor(Duration.ofSeconds(3));
		assertThat(JointRequest.of(List.of(cached, cached)).requests()).containsExactly(cached);
		assertThat(JointRequest.of(List.of(cached, kept)).requests()).containsExactly(kept.withCache(false));
		assertThat(JointRequest.of(List.of(kept, cached)).requests()).containsExactly(kept.withCache(false));
	}

	@Test
	void shortestTimeToWaitCounts() {
		JointRequest joint = JointRequest.of(List.of(LockRequest.of("b").withWait(LockRequest.FOREVER),
				LockRequest.of("a").withWait(Duration.ofSeconds(4))));
		assertThat(joint.requests()).extracting(LockRequest::key).containsExactly("a", "b");
		assertThat(joint.request(0, Duration.ZERO).waitTime()).isEqualTo(Duration.ofSeconds(4));
		assertThat(joint.request(1, Duration.ofSeconds(3)).waitTime()).isEqualTo(Duration.ofSeconds(1));
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> joint.request(1, Duration.ofSeconds(4)))
			.withMessage("Lock 'b' (EXCLUSIVE) not acquired within 4s; the wait time ended after 1 of 2 keys");
	}

	@Test
	void refusalTellsTheWholeTimeoutAndNotWhatWasLeftOfIt() {
		JointRequest joint = JointRequest
			.of(Stream.of("a", "b").map((key) -> LockRequest.of(key).withWait(Duration.ofSeconds(4))).toList());
		LockNotAcquiredException refusal = new LockNotAcquiredException(joint.request(1, Duration.ofSeconds(3)),
				Duration.ofSeconds(1), null);
		assertThat(joint.describe(refusal, 1, Duration.ofSeconds(4)))
			.hasMessage("Lock 'b' (EXCLUSIVE) not acquired within 4s; key 2 of 2");
	}

	@Test
	void timesWithoutEndAndWithoutLengthAreNotUsedUp() {
		for (Duration wait : List.of(Duration.ZERO, LockRequest.FOREVER)) {
			JointRequest joint = JointRequest.of(List.of(LockRequest.of("a").withWait(wait)));
			assertThat(joint.request(0, Duration.ofDays(1)).waitTime()).isEqualTo(wait);
		}
	}

}
