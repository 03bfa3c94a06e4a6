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

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

import io.github.zklock.core.LockMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The judge of a torture run sees each thing that must not happen, and excuses what
 * nobody can prevent.
 */
@Tag("server")
class JudgementTests {

	private static final String KEY = TortureKeys.HOT;

	private final TortureLog log = new TortureLog();

	// Whoever goes does so now, which is after everything that is made up here.
	private long clock = System.nanoTime() - 1_000_000_000;

	private List<String> orphans = List.of();

	@Test
	void aRunInWhichNothingHappenedKeepsEveryPromiseButSharing() {
		for (int i = 1; i <= 3; i++) {
			Grant grant = enter("w" + i, LockMode.EXCLUSIVE, i);
			this.log.wrote(grant, true);
			this.log.exited(grant, 0);
		}
		readTogether();
		assertThat(broken()).isEmpty();
	}

	@Test
	void twoHoldersAtOnceAreSeen() {
		enter("w1", LockMode.EXCLUSIVE, 1);
		enter("w2", LockMode.EXCLUSIVE, 2);
		assertThat(broken()).contains("I2").doesNotContain("I2b");
	}

	@Test
	void aHolderThatStoodStillIsExcusedIfItsWritesAreRejected() {
		Grant paused = enter("w1", LockMode.EXCLUSIVE, 1);
		Grant next = enter("w2", LockMode.EXCLUSIVE, 2);
		assertThat(this.log.wrote(paused, true)).isFalse();
		this.log.wrote(next, true);
		this.log.exited(paused, Judgement.STALL_MILLIS);
		assertThat(broken()).doesNotContain("I1", "I2", "I2b");
	}

	@Test
	void aBlowThatStopsTheHolderExcusesIt() {
		Grant paused = enter("w1", LockMode.EXCLUSIVE, 1);
		hit(Nemesis.PAUSE_LONG, "w1", Map.of());
		enter("w2", LockMode.EXCLUSIVE, 2);
		this.log.exited(paused, 0);
		assertThat(broken()).doesNotContain("I2");
	}

	@Test
	void aBlowToTheNetworkDoesNotExcuseTheHolder() {
		enter("w1", LockMode.EXCLUSIVE, 1);
		hit(Nemesis.BLACKHOLE_LONG, "w1", Map.of());
		enter("w2", LockMode.EXCLUSIVE, 2);
		assertThat(broken()).contains("I2");
	}

	@Test
	void aWriterAmongReadersIsSeen() {
		this.log.entered(grant("w1", TortureKeys.SHARED, LockMode.READ, 1));
		this.log.entered(grant("w2", TortureKeys.SHARED, LockMode.READ, 2));
		this.log.entered(grant("w3", TortureKeys.SHARED, LockMode.WRITE, 3));
		assertThat(broken()).contains("I2", "I3");
	}

	@Test
	void aRightfulHolderWhoseWriteIsRejectedIsSeen() {
		this.log.exited(enter("w1", LockMode.EXCLUSIVE, 7), 0);
		assertThat(this.log.wrote(enter("w2", LockMode.EXCLUSIVE, 3), true)).isFalse();
		assertThat(broken()).contains("I1", "I8");
	}

	@Test
	void aLossThatIsToldTooLateIsSeen() {
		Grant cutOff = enter("w1", LockMode.EXCLUSIVE, 1);
		Grant next = enter("w2", LockMode.EXCLUSIVE, 2);
		this.log.lost(cutOff, next.acquired + 1);
		assertThat(broken()).contains("I7");
	}

	@Test
	void aLossThatIsToldInTimeIsNotHeldAgainstAnybody() {
		Grant cutOff = enter("w1", LockMode.EXCLUSIVE, 1);
		this.log.lost(cutOff, tick());
		this.log.exited(cutOff, 0);
		enter("w2", LockMode.EXCLUSIVE, 2);
		assertThat(broken()).doesNotContain("I2", "I7");
	}

	@Test
	void anOrphanIsSeen() {
		this.orphans = List.of("hot/z1-lock-0000000001");
		assertThat(broken()).contains("I4");
	}

	@Test
	void aKeyThatRestsTooLongIsSeen() {
		hit(Nemesis.CONNECTION_KILL, "w1", Map.of(KEY, Nemesis.CONNECTION_KILL.bound().toMillis() + 1));
		assertThat(broken()).contains("I5");
	}

	@Test
	void aWaitThatIsTooLongIsSeen() {
		this.log.attempted(new Attempt("w1", KEY, 2000, 2500, Attempt.GRANTED, tick()));
		assertThat(broken()).doesNotContain("I6");
		this.log.attempted(new Attempt("w1", KEY, 2000, 2501, "LockNotAcquiredException", tick()));
		assertThat(broken()).contains("I6");
	}

	@Test
	void anUnexpectedExceptionIsSeen() {
		this.log.attempted(new Attempt("w1", KEY, 2000, 1, NullPointerException.class.getName(), tick()));
		assertThat(broken()).contains("I10");
	}

	@Test
	void aWorkerThatGetsNothingIsSeen() {
		enter("w1", LockMode.EXCLUSIVE, 1);
		assertThat(broken()).contains("I9");
	}

	@Test
	void aRunInWhichTooLittleHappenedIsSeen() {
		assertThat(new Judgement(result(EnumSet.allOf(Nemesis.class))).broken()).extracting(Finding::invariant)
			.contains("non-vacuity");
	}

	private void readTogether() {
		Grant one = grant("w1", TortureKeys.SHARED, LockMode.READ, 10);
		Grant other = grant("w2", TortureKeys.SHARED, LockMode.READ, 11);
		this.log.entered(one);
		this.log.entered(other);
		this.log.exited(one, 0);
		this.log.exited(other, 0);
	}

	private Grant enter(String worker, LockMode mode, long token) {
		Grant grant = grant(worker, KEY, mode, token);
		this.log.entered(grant);
		return grant;
	}

	private Grant grant(String worker, String key, LockMode mode, long token) {
		return new Grant(worker, key, mode, token, tick(), tick());
	}

	private void hit(Nemesis nemesis, String worker, Map<String, Long> recovery) {
		this.log.happened(new Incident(new Strike(nemesis, 0, 0, 0), worker, tick(), tick(), recovery));
	}

	private long tick() {
		this.clock += 1_000_000;
		return this.clock;
	}

	private List<String> broken() {
		return new Judgement(result(EnumSet.of(Nemesis.CONNECTION_KILL))).broken()
			.stream()
			.map(Finding::invariant)
			.toList();
	}

	private TortureResult result(EnumSet<Nemesis> nemeses) {
		TortureSettings settings = new TortureSettings(Variant.PRODUCT, 1, Duration.ZERO, nemeses, Path.of("target"));
		return new TortureResult(settings, this.log, this.orphans, List.of(), 0, this.log.start(), tick(),
				Duration.ZERO);
	}

}
