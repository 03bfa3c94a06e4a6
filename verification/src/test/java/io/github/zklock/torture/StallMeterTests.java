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

package io.github.zklock.torture;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StallMeterTests {

	private static final Duration STALL = Duration.ofMillis(300);

	@Test
	void addsUpByHowMuchItOverslept() {
		AtomicInteger naps = new AtomicInteger();
		try (StallMeter meter = new StallMeter((nap) -> {
			boolean stalls = naps.incrementAndGet() <= 2;
			LockSupport.parkNanos(stalls ? STALL.toNanos() : nap);
		})) {
			Awaitility.await().until(() -> naps.get() > 3);
			assertThat(meter.stalled()).isGreaterThan(STALL.multipliedBy(2).minusMillis(10));
		}
	}

	@Test
	void countsAStallThatIsNotOverYet() {
		CountDownLatch over = new CountDownLatch(1);
		AtomicInteger naps = new AtomicInteger();
		try (StallMeter meter = new StallMeter((nap) -> {
			if (naps.getAndIncrement() > 0) {
				Awaitility.await().until(() -> over.getCount() == 0);
			}
		})) {
			Duration before = meter.stalled();
			Awaitility.await().until(() -> meter.stalled().minus(before).compareTo(STALL) > 0);
			over.countDown();
		}
	}

	@Test
	void endsWhenItIsClosed() {
		AtomicInteger naps = new AtomicInteger();
		StallMeter meter = new StallMeter((nap) -> {
			naps.incrementAndGet();
			LockSupport.parkNanos(nap);
		});
		meter.close();
		Awaitility.await().untilAsserted(() -> {
			int before = naps.get();
			LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
			assertThat(naps).hasValue(before);
		});
	}

	@Test
	void stallTakesNothingOfTheTimeInWhichKeysHaveToBeGranted() {
		// One second at each look, without the stalls, however long they were.
		AtomicLong looks = new AtomicLong();
		Map<String, Long> recovery = TortureRun.awaitGrants(() -> looks.incrementAndGet() * 1000,
				(key) -> looks.get() == 10);
		assertThat(recovery).hasSize(TortureKeys.ALL.size()).containsOnlyKeys(TortureKeys.ALL).containsValue(10_000L);
		looks.set(0);
		assertThat(TortureRun.awaitGrants(() -> looks.incrementAndGet() * 1000, (key) -> looks.get() == 20).values())
			.containsOnly(15_000L);
	}

}
