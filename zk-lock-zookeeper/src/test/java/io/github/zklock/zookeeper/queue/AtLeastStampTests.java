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

package io.github.zklock.zookeeper.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.node.AtLeastStamp;
import io.github.zklock.zookeeper.node.QueueNode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a stamp says, and what a process remembers of it.
 */
class AtLeastStampTests {

	private final StampMemory memory = new StampMemory(() -> 0);

	@Test
	void nameSaysHowLongTheKeyStaysTaken() {
		AtLeastStamp stamp = stamp(LockMode.WRITE, Duration.ofSeconds(10).plusNanos(1));
		assertThat(stamp.name()).isEqualTo("z9f-1-b-least-10001-100");
		assertThat(AtLeastStamp.parse(stamp.name())).satisfies((parsed) -> {
			assertThat(parsed.atLeast()).isEqualTo(Duration.ofMillis(10_001));
			assertThat(parsed.nanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(10_101));
			assertThat(parsed.excludes(LockMode.READ)).isTrue();
			assertThat(parsed.excludes(LockMode.EXCLUSIVE)).isTrue();
		});
		AtLeastStamp shared = stamp(LockMode.READ, Duration.ofMillis(1));
		assertThat(AtLeastStamp.parse(shared.name())).isEqualTo(shared).satisfies((parsed) -> {
			assertThat(parsed.excludes(LockMode.READ)).isFalse();
			assertThat(parsed.excludes(LockMode.WRITE)).isTrue();
		});
	}

	@Test
	void otherNamesAreNoStamps() {
		assertThat(AtLeastStamp.parse("z9f-1-lock-0000000001")).isNull();
		assertThat(AtLeastStamp.parse("other-least-10-100")).isNull();
		assertThat(AtLeastStamp.parse("z9f-1-1-least-10")).isNull();
		assertThat(AtLeastStamp.parse("z9f-1-1-least-x-100")).isNull();
		assertThat(QueueNode.parse(stamp(LockMode.READ, Duration.ofMillis(1)).name())).isNull();
		assertThat(QueueNode.parse(stamp(LockMode.WRITE, Duration.ofMillis(1)).name())).isNull();
	}

	@Test
	void stampIsNoLongerThanOneThatCanBeAskedFor() {
		long longest = LockRequest.LONGEST_AT_LEAST.toMillis();
		assertThat(AtLeastStamp.parse("z9f-1-1-least-" + longest + "-30000")).isNotNull();
		assertThat(AtLeastStamp.parse("z9f-1-1-least-" + (longest + 1) + "-100")).isNull();
		assertThat(AtLeastStamp.parse("z9f-1-1-least-1000-30001")).isNull();
		assertThat(AtLeastStamp.parse("z9f-1-1-least-999999999999999999-0")).isNull();
		assertThat(AtLeastStamp.parse("z-least-999999999999999999-0")).isNull();
	}

	@Test
	void soManyStampsAsOnlyAStrangerLeavesCostNoMoreMemoryAndTheShortOnesAreRemembered() {
		AtLeastStamp honest = stamp("z9f-f-", LockMode.WRITE, Duration.ofMinutes(1));
		remaining(honest, 0);
		for (int i = 0; i < 250_000; i++) {
			remaining(stamp("z9f-" + i + "-", LockMode.WRITE, Duration.ofDays(366)), i);
		}
		assertThat(this.memory.size()).isLessThanOrEqualTo(StampMemory.MOST_STAMPS);
		assertThat(remaining(honest, honest.nanos() - 1)).isEqualTo(1);
	}

	@Test
	void timeCountsFromTheFirstSight() {
		AtLeastStamp stamp = stamp(LockMode.WRITE, Duration.ofMinutes(1));
		remaining(stamp, System.nanoTime() - stamp.nanos() / 2);
		assertThat(remaining(stamp, System.nanoTime())).isPositive().isLessThanOrEqualTo(stamp.nanos() / 2);
		remaining(stamp, System.nanoTime());
		assertThat(remaining(stamp, System.nanoTime())).isLessThanOrEqualTo(stamp.nanos() / 2);
		this.memory.forget(stamp.name());
		assertThat(remaining(stamp, System.nanoTime())).isGreaterThan(stamp.nanos() / 2);
	}

	@Test
	void stampWhoseTimeIsNotOverIsNeverForgotten() {
		List<AtLeastStamp> stamps = stamps(50_000);
		stamps.forEach((stamp) -> remaining(stamp, 0));
		assertThat(stamps).allMatch((stamp) -> remaining(stamp, stamp.nanos() - 1) == 1)
			.allMatch((stamp) -> remaining(stamp, stamp.nanos()) == 0);
	}

	@Test
	void eachOfManyIsFoundOverAlthoughTheyAreLookedAtInTurnAndSeldom() {
		List<AtLeastStamp> stamps = new ArrayList<>(stamps(20_000));
		long now = 0;
		for (int round = 0; round < 1000 && !stamps.isEmpty(); round++) {
			now += Duration.ofHours(1).toNanos();
			long time = now;
			stamps.removeIf((stamp) -> {
				boolean over = remaining(stamp, time) <= 0;
				if (over) {
					this.memory.forget(stamp.name());
				}
				return over;
			});
		}
		assertThat(stamps).isEmpty();
	}

	@Test
	void memoryOfThoseWhoseTimeIsOverIsBounded() {
		List<AtLeastStamp> stamps = stamps(50_000);
		stamps.forEach((stamp) -> remaining(stamp, 0));
		long later = stamps.get(0).nanos();
		for (AtLeastStamp stamp : stamps) {
			later += stamp.nanos();
			remaining(stamp(stamp.name(), LockMode.WRITE, Duration.ofMillis(1)), later);
		}
		assertThat(this.memory.size()).isLessThanOrEqualTo(10_000);
	}

	private long remaining(AtLeastStamp stamp, long now) {
		return this.memory.remaining(stamp.name(), stamp.nanos(), now);
	}

	private static List<AtLeastStamp> stamps(int count) {
		return IntStream.range(0, count)
			.mapToObj((i) -> stamp("z9f-" + i + "-", LockMode.WRITE, Duration.ofMinutes(1)))
			.toList();
	}

	private static AtLeastStamp stamp(LockMode mode, Duration atLeast) {
		return stamp("z9f-1-", mode, atLeast);
	}

	private static AtLeastStamp stamp(String contender, LockMode mode, Duration atLeast) {
		return AtLeastStamp.of(contender, 11, LockRequest.of("key").withMode(mode).withLockAtLeastFor(atLeast), 100);
	}

}
