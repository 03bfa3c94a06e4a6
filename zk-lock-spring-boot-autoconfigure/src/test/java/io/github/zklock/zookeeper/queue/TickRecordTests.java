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
import java.time.Instant;

import io.github.zklock.core.LockTick;
import io.github.zklock.zookeeper.node.AtLeastStamp;
import io.github.zklock.zookeeper.node.QueueNode;
import io.github.zklock.zookeeper.node.TickRecord;
import org.apache.curator.framework.recipes.locks.StandardLockInternalsDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the record of a run says, and what a process remembers of it.
 */
@ExtendWith(OutputCaptureExtension.class)
class TickRecordTests {

	private static final Instant TEN = Instant.ofEpochMilli(1_728_122_400_000L);

	private static final String SCHEDULE = "-tick-be8c0ebdf5f2ab11-";

	private final Marks memory = new Marks(null, null, null);

	@Test
	void ageOfAPeriodicRunCountsFromTheFirstSightOfIt() {
		TickRecord first = record(TEN, TEN);
		assertThat(this.memory.since("/locks/a", first, 1)).isZero();
		assertThat(this.memory.since("/locks/a", first, 11)).isEqualTo(10);
		assertThat(this.memory.since("/locks/b", first, 11)).isZero();
		assertThat(this.memory.since("/locks/a", record(TEN, TEN), 12)).isZero();
	}

	@Test
	void nameSaysWhichRunItWas() {
		TickRecord record = record(TEN, TEN.plusMillis(5));
		assertThat(record.name()).matches("z[0-9a-f]{32}-tick-[0-9a-f]{16}-1728122400000-1728122400005");
		assertThat(TickRecord.parse(record.name())).isEqualTo(record);
		LockTick periodic = LockTick.every("Jobs.report", Duration.ofMinutes(1));
		TickRecord every = TickRecord.of(periodic, "9f", 7);
		assertThat(every.name()).isEqualTo("z" + periodic.call() + "-tick-" + record.schedule() + "-n9f-7");
		assertThat(TickRecord.parse(every.name())).isEqualTo(every);
		assertThat(every.isOfScheduleOf(record)).isFalse();
	}

	@Test
	void otherNamesAreNoRecords() {
		assertThat(TickRecord.parse("z9f-1-lock-0000000001")).isNull();
		assertThat(TickRecord.parse("z9f-1-b-least-10001-100")).isNull();
		assertThat(TickRecord.parse("z9f" + SCHEDULE + "5")).isNull();
		assertThat(TickRecord.parse("z9f" + SCHEDULE + "5-1234567890123456789")).isNull();
		assertThat(TickRecord.parse("z9f" + SCHEDULE + "5-6")).isNotNull();
		assertThat(TickRecord.parse("z9f" + SCHEDULE + "253402300799999-6")).isNotNull();
		assertThat(TickRecord.parse("z9f" + SCHEDULE + "253402300800000-6")).isNull();
		assertThat(TickRecord.parse("z9f" + SCHEDULE + "5-253402300800000")).isNull();
		assertThat(TickRecord.parse("z9f" + SCHEDULE + "05-6")).isNull();
	}

	@Test
	void recordHasNoPlaceInTheQueue() {
		for (String call : new String[] { "0", "9f", "ffffffffffffffffffffffffffffffff" }) {
			String name = TickRecord.of(LockTick.at("lock-", TEN, call), "9f", 1).name();
			assertThat(QueueNode.parse(name)).isNull();
			assertThat(AtLeastStamp.parse(name)).isNull();
			String curators = StandardLockInternalsDriver.standardFixForSorting(name, "lock-");
			assertThat(curators).isGreaterThan("9999999999");
		}
	}

	@Test
	void runIsOvertakenByALaterOneUnlessThatWasAheadOfItsTime() {
		TickRecord run = record(TEN, TEN);
		assertThat(record(TEN, TEN).overtakes(run)).isTrue();
		assertThat(record(TEN.minusMillis(1), TEN).overtakes(run)).isFalse();
		assertThat(record(TEN.plusSeconds(60), TEN).overtakes(run)).isTrue();
		assertThat(record(TEN.plusSeconds(60), TEN.minusMillis(1)).overtakes(run)).isFalse();
	}

	@Test
	void recordThatWasCreatedLongBeforeItsTimesIsNotPlausible() {
		long ten = TEN.toEpochMilli();
		long minutes = Duration.ofMinutes(5).toMillis();
		assertThat(record(TEN, TEN).isPlausible(ten, ten)).isTrue();
		assertThat(record(TEN, TEN).isPlausible(ten - minutes, ten)).isTrue();
		assertThat(record(TEN, TEN).isPlausible(ten - minutes - 1, ten)).isFalse();
		// Made up yesterday for the run of today.
		long yesterday = TEN.minus(Duration.ofDays(1)).toEpochMilli();
		assertThat(record(TEN, TEN).isPlausible(yesterday, ten)).isFalse();
		assertThat(record(TEN, Instant.ofEpochMilli(yesterday)).isPlausible(yesterday, ten)).isFalse();
		// Still far ahead: the run asks as early as the recorded one did.
		assertThat(record(TEN, Instant.ofEpochMilli(yesterday)).isPlausible(yesterday, yesterday)).isTrue();
		TickRecord periodic = TickRecord.of(LockTick.every("Jobs.report", Duration.ofMinutes(1)), "9f", ten);
		assertThat(periodic.isPlausible(ten, ten)).isTrue();
		assertThat(periodic.isPlausible(yesterday, ten)).isFalse();
	}

	@Test
	void warnsOnceOfAClockThatIsAhead(CapturedOutput output) {
		for (int i = 0; i < 3; i++) {
			this.memory.recorded(LockTick.at("Jobs.ahead", TEN), record(TEN, TEN.minusSeconds(61)), false);
			this.memory.recorded(LockTick.at("Jobs.right", TEN), record(TEN, TEN.minusSeconds(59)), false);
		}
		assertThat(output).containsOnlyOnce("of Jobs.ahead is 61 s ahead of the clock of the ZooKeeper servers")
			.doesNotContain("Jobs.right");
	}

	@Test
	void warnsOnceOfAScheduleWithManyKeys(CapturedOutput output) {
		for (int i = 0; i < 3 * Marks.MANY_KEYS; i++) {
			this.memory.recorded(LockTick.at("Jobs.report", TEN), record(TEN, TEN), true);
			this.memory.recorded(LockTick.at("Jobs.report", TEN), record(TEN, TEN), false);
			assertThat(output.toString().contains("Jobs.report uses 1000 different keys"))
				.isEqualTo(i >= Marks.MANY_KEYS - 1);
		}
		assertThat(output).containsOnlyOnce("different keys");
	}

	private static TickRecord record(Instant time, Instant leader) {
		return TickRecord.of(LockTick.at("Jobs.report", time), "9f", leader.toEpochMilli());
	}

}
