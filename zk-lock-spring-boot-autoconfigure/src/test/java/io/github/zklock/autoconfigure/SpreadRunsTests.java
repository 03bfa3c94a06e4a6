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

package io.github.zklock.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.github.zklock.autoconfigure.TickBeans.Counting;
import io.github.zklock.autoconfigure.TickBeans.CronJob;
import io.github.zklock.core.LockTick;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs of a job do not stick to the node whose clock is a little ahead.
 */
class SpreadRunsTests {

	private static final Duration PERIOD = Duration.ofSeconds(10);

	private final InMemoryLockProvider shared = new InMemoryLockProvider();

	private final TickNode ahead = new TickNode(this.shared);

	private final TickNode behind = new TickNode(this.shared.another("behind"));

	@Test
	void nodeThatHasRunLeavesTheNextTickToAnotherNode() {
		runTicks(20, 6);
		assertThat(this.runs).containsExactly(3, 3);
	}

	@Test
	void clockThatIsFartherAheadRunsEachTick() {
		runTicks(80, 6);
		assertThat(this.runs).containsExactly(6, 0);
	}

	@Test
	void tickKeepsItsTime() {
		runTicks(20, 2);
		assertThat(this.ahead.requests()).extracting((request) -> Objects.requireNonNull(request.tick()))
			.extracting(LockTick::time)
			.contains(TickNode.START.plusSeconds(5), TickNode.START.plusSeconds(15));
	}

	private List<Integer> runs;

	private void runTicks(int millisAhead, int ticks) {
		this.ahead.application(CronJob.class).run((first) -> this.behind.application(CronJob.class).run((second) -> {
			this.ahead.advance(Duration.ofSeconds(5).plusMillis(millisAhead));
			this.behind.advance(Duration.ofSeconds(5));
			for (int tick = 1; tick < ticks; tick++) {
				this.ahead.advance(PERIOD);
				this.behind.advance(PERIOD);
			}
			// What stepped back at the last tick is skipped now.
			this.ahead.advance(Duration.ofSeconds(1));
			this.behind.advance(Duration.ofSeconds(1));
			this.runs = List.of(first.getBean(Counting.class).runs(), second.getBean(Counting.class).runs());
		}));
	}

}
