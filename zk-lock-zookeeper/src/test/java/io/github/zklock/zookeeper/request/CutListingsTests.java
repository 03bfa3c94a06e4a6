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

package io.github.zklock.zookeeper.request;

import java.util.concurrent.TimeUnit;

import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which listing is held to be the cause of a lost connection, and for how long its
 * directory is left alone.
 */
class CutListingsTests {

	private static final int OK = Code.OK.intValue();

	private static final int LOST = Code.CONNECTIONLOSS.intValue();

	private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

	private long now;

	private final CutListings cuts = new CutListings(() -> this.now);

	@Test
	void secondCutPausesTheDirectoryAndEachLaterOneForLonger() {
		cut("/locks/a");
		assertThat(this.cuts.pause("/locks/a")).isZero();
		assertThat(this.cuts.isSuspect("/locks/a")).isTrue();
		for (long minutes : new long[] { 1, 2, 4, 8, 16, 16 }) {
			cut("/locks/a");
			assertThat(this.cuts.pause("/locks/a")).isEqualTo(minutes * MINUTE);
			this.now += minutes * MINUTE;
			assertThat(this.cuts.pause("/locks/a")).isZero();
		}
		assertThat(this.cuts.isSuspect("/locks/b")).isFalse();
	}

	@Test
	void onlyTheFirstLostRequestBehindAnAnsweredOneCounts() {
		this.cuts.listed("/locks/a", LOST);
		this.cuts.listed("/locks/b", LOST);
		this.cuts.replied(LOST);
		this.cuts.listed("/locks/a", LOST);
		assertThat(this.cuts.isSuspect("/locks/a")).isTrue();
		assertThat(this.cuts.isSuspect("/locks/b")).isFalse();
		assertThat(this.cuts.pause("/locks/a")).as("lost without a connection").isZero();
		this.cuts.replied(OK);
		this.cuts.replied(LOST);
		this.cuts.listed("/locks/a", LOST);
		assertThat(this.cuts.pause("/locks/a")).as("lost behind another lost request").isZero();
	}

	@Test
	void listingThatIsAnsweredClearsTheDirectory() {
		cut("/locks/a");
		this.cuts.listed("/locks/a", OK);
		assertThat(this.cuts.isSuspect("/locks/a")).isFalse();
		cut("/locks/a");
		assertThat(this.cuts.pause("/locks/a")).isZero();
	}

	@Test
	void listingWithoutAnAnsweredGuardPausesNothing() {
		cut("/locks/a");
		for (int i = 0; i < 5; i++) {
			this.cuts.replied(OK);
			this.cuts.listed("/locks/a", LOST);
			this.cuts.replied(OK);
			this.cuts.guarded("/locks/b");
			this.cuts.listed("/locks/a", LOST);
		}
		assertThat(this.cuts.isSuspect("/locks/a")).isTrue();
		assertThat(this.cuts.pause("/locks/a")).isZero();
		cut("/locks/a");
		assertThat(this.cuts.pause("/locks/a")).isEqualTo(MINUTE);
		this.cuts.replied(OK);
		this.cuts.listed("/locks/a", LOST);
		assertThat(this.cuts.pause("/locks/a")).as("goes on").isEqualTo(MINUTE);
	}

	@Test
	void everyAnswerOfAServerClearsTheDirectory() {
		for (Code answer : new Code[] { Code.OK, Code.NONODE, Code.NOAUTH }) {
			cut("/locks/a");
			this.cuts.listed("/locks/a", answer.intValue());
			assertThat(this.cuts.isSuspect("/locks/a")).as("%s", answer).isFalse();
		}
		cut("/locks/a");
		this.cuts.listed("/locks/a", Code.SESSIONEXPIRED.intValue());
		assertThat(this.cuts.isSuspect("/locks/a")).isTrue();
	}

	@Test
	void memoryIsBounded() {
		for (int i = 0; i < 20_000; i++) {
			cut("/locks/" + i);
		}
		assertThat(this.cuts.isSuspect("/locks/9999")).isFalse();
		assertThat(this.cuts.isSuspect("/locks/19999")).isTrue();
	}

	private void cut(String directory) {
		this.cuts.replied(OK);
		this.cuts.guarded(directory);
		this.cuts.listed(directory, LOST);
	}

}
