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

import java.time.Instant;

import io.github.zklock.core.LockTick;
import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.OutputCaptureExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a process remembers of the jobs, and of what it warns.
 */
@ExtendWith(OutputCaptureExtension.class)
class JobMemoryTests {

	private static final Instant TEN = Instant.ofEpochMilli(1_728_122_400_000L);

	private final JobMemory memory = new JobMemory();

	@Test
	void ageOfAJobCountsFromTheFirstSightOfItsVersion() {
		assertThat(this.memory.since("/locks/~job~a", 1, 1)).isZero();
		assertThat(this.memory.since("/locks/~job~a", 1, 11)).isEqualTo(10);
		assertThat(this.memory.since("/locks/~job~b", 1, 11)).isZero();
		assertThat(this.memory.since("/locks/~job~a", 2, 12)).isZero();
	}

	@Test
	void warnsOnceOfAClockThatIsAhead(CapturedOutput output) {
		for (int i = 0; i < 3; i++) {
			this.memory.recorded(LockTick.at("Jobs.ahead", TEN), TEN.minusSeconds(61).toEpochMilli(), false);
			this.memory.recorded(LockTick.at("Jobs.right", TEN), TEN.minusSeconds(59).toEpochMilli(), false);
		}
		assertThat(output.toString())
			.containsOnlyOnce("of Jobs.ahead is 61 s ahead of the clock of the ZooKeeper servers")
			.doesNotContain("Jobs.right");
	}

	@Test
	void warnsOnceOfAScheduleWithManyKeys(CapturedOutput output) {
		for (int i = 0; i < 3 * JobMemory.MANY_KEYS; i++) {
			this.memory.recorded(LockTick.at("Jobs.report", TEN), TEN.toEpochMilli(), true);
			this.memory.recorded(LockTick.at("Jobs.report", TEN), TEN.toEpochMilli(), false);
			assertThat(output.toString().contains("Jobs.report uses 1000 different keys"))
				.isEqualTo(i >= JobMemory.MANY_KEYS - 1);
		}
		assertThat(output.toString()).containsOnlyOnce("different keys");
	}

	@Test
	void warnsOnceOfEachJobWhoseDataAreNoRecord(CapturedOutput output) {
		for (int i = 0; i < 3; i++) {
			this.memory.unreadable("/locks/~job~a");
		}
		assertThat(output.toString())
			.containsOnlyOnce("The node /locks/~job~a of a job does not hold the record of a run");
	}

}
