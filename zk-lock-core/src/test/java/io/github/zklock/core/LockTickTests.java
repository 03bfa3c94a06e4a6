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

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LockTickTests {

	private static final LockTick TICK = LockTick.at("Jobs.report", Instant.parse("2024-10-05T10:00:00Z"));

	@Test
	void eachCallHasATextOfItsOwn() {
		LockTick other = LockTick.at("Jobs.report", Instant.parse("2024-10-05T10:00:00Z"));
		assertThat(other.call()).isNotEqualTo(TICK.call());
		assertThat(TICK.isPeriodic()).isFalse();
		assertThat(LockTick.every("Jobs.report", Duration.ofSeconds(5)).isPeriodic()).isTrue();
	}

	@Test
	void refusesWhatIsNoTickAndSaysWhatToGive() {
		assertThatIllegalArgumentException().isThrownBy(() -> LockTick.at(" ", Instant.EPOCH))
			.withMessageContaining("name what is planned");
		assertThatIllegalArgumentException().isThrownBy(() -> LockTick.at("job", Instant.MAX))
			.withMessageContaining("use one between the years 1970 and 9999");
		assertThatIllegalArgumentException().isThrownBy(() -> LockTick.at("job", Instant.EPOCH.minusMillis(1)))
			.withMessageContaining("Tick of 'job': the time is 1969-12-31T23:59:59.999Z");
		for (Duration period : new Duration[] { Duration.ofNanos(1), Duration.ofDays(367),
				Duration.ofSeconds(Long.MAX_VALUE), Duration.ofMillis(-1) }) {
			assertThatIllegalArgumentException().isThrownBy(() -> LockTick.every("job", period))
				.withMessageContaining("use at least a millisecond and at most 366 days");
		}
		assertThatIllegalArgumentException().isThrownBy(() -> LockTick.at("job", Instant.EPOCH, "a-b"))
			.withMessageContaining("hexadecimal");
		assertThatIllegalArgumentException().isThrownBy(() -> LockTick.every("job", Duration.ZERO))
			.withMessageContaining("give one of them");
	}

	@Test
	void requestRefusesWhatCannotBeCombinedWithIt() {
		LockRequest request = LockRequest.of("report");
		assertThat(request.withMode(LockMode.WRITE).withTick(TICK).tick()).isEqualTo(TICK);
		assertThat(request.withTick(TICK).withWait(Duration.ZERO).tick()).isEqualTo(TICK);
		assertThatIllegalArgumentException().isThrownBy(() -> request.withMode(LockMode.READ).withTick(TICK))
			.withMessage("Lock 'report': tick 2024-10-05T10:00:00Z of Jobs.report and mode READ cannot be combined; "
					+ "use only one");
		assertThatIllegalArgumentException().isThrownBy(() -> request.withTick(TICK).withPermits(2))
			.withMessageContaining("and 2 permits cannot");
		assertThatIllegalArgumentException().isThrownBy(() -> request.withTick(TICK).withCache(true))
			.withMessageContaining("and caching cannot");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> request.withTick(TICK).withLockAtLeastFor(Duration.ofSeconds(1)))
			.withMessageContaining("and a minimum hold time cannot");
	}

	@Test
	void refusalNamesTheNodeThatRanTheTick() {
		LockNotAcquiredException refusal = LockNotAcquiredException.hasRun(LockRequest.of("report").withTick(TICK),
				Duration.ZERO, TICK,
				LockHolder.of("app")
					.instance("app-7")
					.host("host-3")
					.pid(4711)
					.thread("main")
					.name("report")
					.queuedFor(Duration.ofSeconds(2))
					.build());
		assertThat(refusal.getTick()).isEqualTo(TICK);
		assertThat(refusal.getHolder()).isNotNull();
		assertThat(refusal).hasMessage("Lock 'report' (EXCLUSIVE) not acquired: tick 2024-10-05T10:00:00Z of "
				+ "Jobs.report has run already; run by app-7 (host-3, pid 4711) 2s ago");
	}

	@Test
	void refusalForAnUnknownRunnerNamesTheTickAlone() {
		assertThat(LockNotAcquiredException.hasRun(LockRequest.of("report").withTick(TICK), Duration.ZERO, TICK, null))
			.hasMessageEndingWith("of Jobs.report has run already");
	}

}
