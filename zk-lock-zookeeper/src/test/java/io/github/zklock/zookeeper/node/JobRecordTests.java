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

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import io.github.zklock.core.spi.RunOutcome;
import io.github.zklock.zookeeper.node.JobRecord.Pause;
import io.github.zklock.zookeeper.node.JobRecord.Run;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the node of a job says, and which ticks it keeps from running.
 */
class JobRecordTests {

	private static final long TEN = Instant.parse("2026-01-01T10:00:00Z").toEpochMilli();

	private static final byte[] RUNNER = "application=shop\ninstance=shop-7\n".getBytes(StandardCharsets.UTF_8);

	@Test
	void namesOfAnotherClientAreCutAndCleaned() {
		String name = "x\r\u001b[31m\u202e" + "y".repeat(7000);
		String time = "2026-11-28T00:00:00Z";
		JobRecord record = JobRecord.parse(("job=x\npaused=" + time + " " + name + "\ncall=1\nattempt=1\n"
				+ "lock=z0-1-lock-0000000000\nprocess=1\nbegan=" + time + "\nrun=" + time + " " + time + " " + time
				+ " " + time + " done 1 " + name + "\n")
			.getBytes(StandardCharsets.UTF_8));
		assertThat(record).isNotNull();
		assertThat(record.paused().by()).startsWith("x  [31m y").hasSize(200);
		assertThat(record.earlier()).singleElement()
			.satisfies((run) -> assertThat(run.knownRunner()).startsWith("x  [31m y").hasSize(200));
	}

	@Test
	void whatIsWrittenIsReadAgain() {
		JobRecord record = record(TEN).ended(TEN + 5, RunOutcome.DONE).with(run(TEN + 1000), RUNNER, TEN + 6);
		assertThat(new String(record.data(), StandardCharsets.UTF_8)).isEqualTo("""
				job=Jobs.report
				key=orders:42
				tick=2026-01-01T10:00:01Z
				call=80d
				attempt=1
				lock=z9f-1-lock-0000000001
				process=9f
				began=2026-01-01T10:00:01.001Z
				application=shop
				instance=shop-7
				run=2026-01-01T10:00:00Z 2026-01-01T10:00:00.006Z 2026-01-01T10:00:00.001Z 2026-01-01T10:00:00.005Z \
				done 1 shop-7
				""".replace("80d", call(TEN + 1000)));
		assertThat(JobRecord.parse(record.data())).isEqualTo(record);
		JobRecord ended = record.ended(TEN + 2000, RunOutcome.FAILED);
		assertThat(JobRecord.parse(ended.data())).isEqualTo(ended);
		JobRecord periodic = JobRecord.of("Jobs.report", "k")
			.with(new Run(null, false, "1", 1, "z9f-1-lock-0000000001", "9f", TEN, null, null, 1), new byte[0], 0);
		assertThat(JobRecord.parse(periodic.data())).isEqualTo(periodic);
	}

	@Test
	void runOfTheSameCallTakesThePlaceOfItsRecord() {
		JobRecord record = record(TEN);
		assertThat(record.with(run(TEN), RUNNER, TEN).earlier()).isEmpty();
	}

	@Test
	void pauseIsReadAgainAndDoesNotMoveTheTimeOfTheLastRun() {
		JobRecord never = JobRecord.of("Jobs.report", "orders:42").withPause(new Pause(TEN, "admin"), 0);
		assertThat(new String(never.data(), StandardCharsets.UTF_8))
			.isEqualTo("job=Jobs.report\nkey=orders:42\npaused=2026-01-01T10:00:00Z admin\n");
		assertThat(JobRecord.parse(never.data())).isEqualTo(never);
		JobRecord paused = record(TEN).withPause(new Pause(TEN + 9, null), TEN + 5);
		assertThat(JobRecord.parse(paused.data())).isEqualTo(paused);
		assertThat(paused.recordedAt(TEN + 9)).isEqualTo(TEN + 5);
		JobRecord resumed = paused.withPause(null, TEN + 9);
		assertThat(JobRecord.parse(resumed.data())).isEqualTo(resumed);
		assertThat(resumed.recordedAt(TEN + 20)).isEqualTo(TEN + 5);
		assertThat(resumed.ended(TEN + 30, RunOutcome.DONE).recordedAt(TEN + 31)).isEqualTo(TEN + 31);
	}

	@Test
	void pausesThatAreOverAreKeptWhateverRuns() {
		JobRecord record = record(TEN);
		for (int i = 0; i < 25; i++) {
			record = record.withPause(new Pause(TEN + 10 * i, null), TEN + 10 * i).withPause(null, TEN + 10 * i + 5);
		}
		record = record.with(run(TEN + 1000), RUNNER, TEN + 1000).ended(TEN + 1001, RunOutcome.DONE);
		assertThat(record.pauses()).hasSize(20).startsWith(new EarlierPause(TEN + 240, TEN + 245));
		assertThat(JobRecord.parse(record.data())).isEqualTo(record);
		assertThat(new String(record.data(), StandardCharsets.UTF_8))
			.contains("\npause=2026-01-01T10:00:00.240Z 2026-01-01T10:00:00.245Z\n");
	}

	@Test
	void runByHandOvertakesNoTickAndHidesNone() {
		Run byHand = new Run(null, true, "1", 1, "z9f-1-lock-0000000001", "9f", TEN, null, null, 1);
		JobRecord record = record(TEN).with(byHand, RUNNER, TEN + 1);
		assertThat(JobRecord.parse(record.data())).isEqualTo(record);
		assertThat(record.overtaking(TEN, TEN + 2)).isEqualTo(TEN);
		assertThat(record.overtaking(TEN + 1, TEN + 2)).isNull();
		JobRecord next = record.with(run(TEN + 1000), RUNNER, TEN + 3);
		assertThat(JobRecord.parse(next.data())).isEqualTo(next);
		assertThat(next.earlier()).first().satisfies((run) -> assertThat(run.byHand()).isTrue());
	}

	@Test
	void manyRunsByHandDoNotHideTheLastTick() {
		JobRecord record = record(TEN);
		for (int i = 1; i <= 60; i++) {
			record = record.with(new Run(null, true, Integer.toHexString(i), 1, "z9f-1-lock-0000000001", "9f", TEN + i,
					TEN + i, RunOutcome.DONE, 1), RUNNER, TEN + i);
		}
		assertThat(JobRecord.parse(record.data()).overtaking(TEN, TEN + 61)).isEqualTo(TEN);
	}

	@Test
	void sameAndLaterTicksOvertakeUnlessTheyWereAheadOfTheirTime() {
		assertThat(record(TEN).overtaking(TEN, TEN)).isEqualTo(TEN);
		assertThat(record(TEN - 1).overtaking(TEN, TEN)).isNull();
		assertThat(record(TEN + 60_000).overtaking(TEN, TEN)).isEqualTo(TEN + 60_000);
		assertThat(record(TEN + 60_000).overtaking(TEN, TEN - 1)).isNull();
		assertThat(record(TEN + 60_000).overtaking(TEN + 60_000, TEN - 1)).isEqualTo(TEN + 60_000);
	}

	@Test
	void ticksOfEarlierRunsCountBehindOneThatWasAhead() {
		JobRecord record = record(TEN).with(run(TEN + 100_000), RUNNER, TEN);
		assertThat(record.overtaking(TEN - 1, TEN + 1)).isEqualTo(TEN);
		assertThat(record.overtaking(TEN, TEN + 1)).isEqualTo(TEN);
		assertThat(record.overtaking(TEN + 1, TEN + 1)).isNull();
		JobRecord next = record.with(run(TEN + 1), RUNNER, TEN + 1);
		assertThat(next.overtaking(TEN + 100_000, TEN + 2)).isEqualTo(TEN + 100_000);
	}

	@Test
	void twentyEarlierRunsAreKeptAndNeverMoreThanSixteenKilobytes() {
		JobRecord record = record(TEN);
		byte[] runner = ("application=shop\ninstance=" + "\u20ac".repeat(200) + "\n").getBytes(StandardCharsets.UTF_8);
		for (int i = 1; i <= 30; i++) {
			record = record.with(run(TEN + i), runner, TEN + i);
		}
		assertThat(record.earlier()).hasSize(20).first().extracting(EarlierRun::tick).isEqualTo(TEN + 29);
		assertThat(record.data()).hasSizeLessThanOrEqualTo(JobRecord.MAX_LENGTH);
		assertThat(JobRecord.parse(record.data()).earlier()).hasSizeGreaterThan(15);
	}

	@ParameterizedTest
	@ValueSource(strings = { "call=", "call=X", "call=9F", "attempt=0", "attempt=01", "attempt=1000", "lock=",
			"lock=a/b", "lock=lock-0000000001", "process=", "began=", "began=1", "began=-1000000000-01-01T00:00:00Z",
			"began=+10000-01-01T00:00:00Z", "tick=", "tick=10:00", "ended=2026-01-01T10:00:00Z", "outcome=done",
			"call=1\ncall=1", "run=", "run=- - - - - 1 x", "paused=", "paused=2026-01-01T10:00:00Z",
			"paused=yesterday admin", "recorded=", "recorded=1", "pause=", "pause=2026-01-01T10:00:00Z",
			"pause=2026-01-01T10:00:00Z -", "pause=2026-01-01T10:00:01Z 2026-01-01T10:00:00Z" })
	void dataThatDoNotFitAreNoRecord(String line) {
		String good = new String(record(TEN).data(), StandardCharsets.UTF_8);
		String name = line.substring(0, line.indexOf('=') + 1);
		String bad = good.replaceAll("(?m)^" + name + ".*\n", "") + line + "\n";
		assertThat(JobRecord.parse(good.getBytes(StandardCharsets.UTF_8))).isNotNull();
		assertThat(JobRecord.parse(bad.getBytes(StandardCharsets.UTF_8))).isNull();
	}

	@Test
	void linesOfALaterVersionArePassedOver() {
		String later = new String(record(TEN).data(), StandardCharsets.UTF_8) + "later=1\nno name\n=\n";
		assertThat(JobRecord.parse(later.getBytes(StandardCharsets.UTF_8))).isEqualTo(record(TEN));
	}

	@Test
	void randomDataNeverThrow() {
		SplittableRandom random = new SplittableRandom(42);
		byte[] good = record(TEN).with(run(TEN + 1), RUNNER, TEN).data();
		IntStream.range(0, 20_000).forEach((i) -> {
			byte[] data = good.clone();
			for (int changes = random.nextInt(4); changes >= 0; changes--) {
				data[random.nextInt(data.length)] = (byte) random.nextInt(256);
			}
			JobRecord read = JobRecord.parse(data);
			assertThat(read == null || JobRecord.parse(read.data()) != null).isTrue();
		});
		assertThat(JobRecord.parse(null)).isNull();
		assertThat(JobRecord.parse(new byte[JobRecord.MAX_LENGTH + 1])).isNull();
		assertThat(JobRecord.parse("run=x\n".repeat(200).getBytes(StandardCharsets.UTF_8))).isNull();
	}

	private static JobRecord record(long tick) {
		return JobRecord.of("Jobs.report", "orders:42").with(run(tick), RUNNER, 0);
	}

	@Test
	void numberOfShardsIsALineOfASplitTickAlone() {
		Run split = new Run(TEN, false, "1", 1, "z9f-1-lock-0000000001", "9f", TEN, null, null, 8);
		JobRecord record = JobRecord.of("Jobs.report", "k").with(split, RUNNER, TEN);
		String data = new String(record.data(), StandardCharsets.UTF_8);
		assertThat(data).contains("\nshards=8\n");
		assertThat(JobRecord.parse(record.data())).isEqualTo(record);
		assertThat(new String(record(TEN).data(), StandardCharsets.UTF_8)).doesNotContain("shards");
		for (String wrong : List.of("0", "101", "-8", "eight", "08")) {
			assertThat(JobRecord.parse(data.replace("shards=8", "shards=" + wrong).getBytes(StandardCharsets.UTF_8)))
				.isNull();
		}
	}

	private static Run run(long tick) {
		return new Run(tick, false, call(tick), 1, "z9f-1-lock-0000000001", "9f", tick + 1, null, null, 1);
	}

	private static String call(long tick) {
		return Long.toHexString(tick);
	}

}
