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

package io.github.zklock.zookeeper.session;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.zklock.core.LockState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the lease says by the clock alone. All times are milliseconds.
 */
class SessionLeaseTests {

	private static final long ROUND_TRIP = 5;

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1000);

	private int granted;

	private SessionLease lease = lease(20_000, 2000);

	@Test
	void firstWriteOfAnIdleClientIsWorthAsMuchAsItsExchangesProve() {
		exchange(0);
		exchange(3333);
		exchange(6666);
		at(9998);
		this.lease.nodeCreated(nanos(9998));
		assertThat(this.lease.isFresh()).isTrue();
		assertThat(left()).isEqualTo(3333 + 19_000 - 9998);
	}

	@Test
	void exchangeAloneExtendsNoLease() {
		long before = left(0);
		exchange(0);
		exchange(3333);
		exchange(6666);
		assertThat(left(0)).as("a leader that was replaced may answer too").isEqualTo(before);
	}

	@Test
	void writeProvesNothingWithoutAnExchangeAfterTheLeaderHasAsked() {
		exchange(0);
		at(3000);
		this.lease.nodeCreated(nanos(3000));
		assertThat(left(0)).as("the server may not have got the question").isEqualTo(20_000 - 1000 - 7917);
		exchange(1254);
		this.lease.nodeCreated(nanos(3000));
		assertThat(left(0)).as("the leader may not have asked since").isEqualTo(20_000 - 1000 - 7917);
	}

	@Test
	void exchangeThatIsAnsweredAfterAWriteWasSentIsNoWitness() {
		exchange(0);
		exchange(3333, 2000);
		this.lease.nodeCreated(nanos(5332));
		assertThat(left(0)).isEqualTo(20_000 - 1000 - 7917);
		this.lease.nodeCreated(nanos(5333));
		assertThat(left(0)).isEqualTo(19_000);
	}

	@Test
	void lockIsHeldThenUncertainThenLostWithoutAnyEvent() {
		this.lease.nodeCreated(0);
		this.lease.keep();
		assertThat(this.lease.state()).isEqualTo(LockState.HELD);
		at(6666);
		assertThat(this.lease.state()).isEqualTo(LockState.HELD);
		at(6667);
		assertThat(this.lease.state()).isEqualTo(LockState.UNCERTAIN);
		at(11_082);
		assertThat(this.lease.state()).isEqualTo(LockState.UNCERTAIN);
		at(11_084);
		assertThat(this.lease.state()).isEqualTo(LockState.LOST);
	}

	@Test
	void answerThatWasReadAfterAPauseOfTheProcessDoesNotBringTheLockBack() {
		exchange(0);
		this.lease.nodeCreated(nanos(5));
		this.lease.keep();
		beat(3333);
		beat(6666);
		long sent = nanos(9999);
		at(9999 + 20_000);
		assertThat(this.lease.state()).isEqualTo(LockState.LOST);
		this.lease.beaten(sent);
		assertThat(this.lease.state()).isEqualTo(LockState.LOST);
	}

	@Test
	void interruptedLockIsHeldAgainOnlyAfterAWriteThatWasSentLater() {
		this.lease.nodeCreated(0);
		this.lease.keep();
		beat(3333);
		at(4000);
		this.lease.interrupted();
		assertThat(this.lease.state()).isEqualTo(LockState.UNCERTAIN);
		assertThat(this.lease.isFresh()).isFalse();
		this.lease.beaten(nanos(3999));
		assertThat(this.lease.state()).isEqualTo(LockState.UNCERTAIN);
		beat(4500);
		assertThat(this.lease.state()).isEqualTo(LockState.HELD);
		assertThat(this.lease.isFresh()).isTrue();
	}

	@Test
	void slowHeartbeatProvesOnlyWhatWasAnsweredBefore() {
		exchange(0);
		this.lease.nodeCreated(nanos(5));
		this.lease.keep();
		beat(3333, 3000);
		assertThat(left()).as("until the end of the first lease").isEqualTo(19_000 - 7917 - 6333);
		beat(6666);
		assertThat(left()).as("the leader has heard of the first exchange").isEqualTo(19_000 - 6671);
		beat(9999);
		assertThat(left()).as("the slow one was answered too late to be proved").isEqualTo(19_000 - 10_004);
		beat(13_332);
		assertThat(left()).isEqualTo(6666 + 19_000 - 13_337);
	}

	@Test
	void manyHeartbeatsInARowProveAsMuchAsFew() {
		exchange(0);
		this.lease.nodeCreated(nanos(5));
		this.lease.keep();
		beat(3333, 3000);
		for (long sent = 6333; sent < 8500; sent += ROUND_TRIP) {
			beat(sent);
		}
		assertThat(left()).isGreaterThan(19_000 - 1667);
	}

	@Test
	void creationOfAnotherLockDoesNotExtendTheLeaseWhileHeartbeatsAreLate() {
		exchange(0);
		this.lease.nodeCreated(nanos(5));
		this.lease.keep();
		at(8000);
		this.lease.nodeCreated(nanos(8000));
		assertThat(left()).isEqualTo(11_083 - 8000);
		at(11_084);
		assertThat(this.lease.state()).isEqualTo(LockState.LOST);
	}

	@Test
	void lockOfALongWaitNeedsAnotherWrite() {
		this.lease.nodeCreated(0);
		assertThat(this.lease.isFresh()).isTrue();
		exchange(0);
		exchange(3333);
		exchange(6666);
		at(10_000);
		assertThat(this.lease.isFresh()).isFalse();
		beat(10_000);
		assertThat(this.lease.isFresh()).isTrue();
	}

	@Test
	void lockAfterAnInterruptionNeedsALeaseThatLastsUntilExchangesProveMore() {
		exchange(0);
		exchange(3333);
		this.lease.nodeCreated(nanos(4000));
		at(4000);
		this.lease.interrupted();
		exchange(19_500);
		this.lease.nodeCreated(nanos(19_510));
		assertThat(left()).as("as long as the leader has heard of the last exchange before").isEqualTo(2828);
		assertThat(this.lease.isFresh()).as("no heartbeat proves more before 21,005").isFalse();
		beat(20_760);
		assertThat(this.lease.isFresh()).isFalse();
		beat(20_770);
		assertThat(this.lease.isFresh()).isTrue();
		assertThat(left()).isEqualTo(19_500 + 19_000 - 20_775);
	}

	@Test
	void firstLockAfterTheClientStoodStillNeedsExchangesFirst() {
		exchange(0);
		exchange(3333);
		at(22_000);
		this.lease.nodeCreated(nanos(22_000));
		assertThat(this.lease.isFresh()).as("the session may have ended").isFalse();
		beat(22_000);
		beat(23_254);
		assertThat(this.lease.isFresh()).as("the leader may not have asked since").isFalse();
		beat(23_255);
		beat(23_260);
		assertThat(this.lease.isFresh()).isTrue();
		assertThat(left()).isEqualTo(22_000 + 19_000 - 23_265);
	}

	@ParameterizedTest
	@CsvSource({ "4000, 2000", "5000, 2000", "6000, 2000", "20000, 2000", "4000, 200" })
	void lockOfANewSessionLastsUntilHeartbeatsProveMore(long timeout, long tick) {
		for (long first = 0; first <= 2000; first += 50) {
			this.lease = lease(timeout, tick);
			keepsALockFrom(first);
		}
	}

	// As LeaseHeartbeat does it: exchanges at all times, heartbeats from when a lock is
	// held, and in quick succession until it can be granted.
	private void keepsALockFrom(long first) {
		long interval = TimeUnit.NANOSECONDS.toMillis(this.lease.terms().interval());
		long pause = TimeUnit.NANOSECONDS.toMillis(this.lease.terms().halfTick()) / 4;
		long now = first;
		long nextExchange = exchangesUntil(0, now, interval);
		at(Math.max(now, TimeUnit.NANOSECONDS.toMillis(this.lease.now())));
		this.lease.nodeCreated(nanos(now));
		while (!this.lease.isFresh()) {
			now += pause;
			nextExchange = exchangesUntil(nextExchange, now, interval);
			beat(now);
			assertThat(now).as("the first lock after %d ms", first).isLessThan(first + 2000);
		}
		this.lease.keep();
		for (int i = 0; i < 20; i++) {
			now = TimeUnit.NANOSECONDS.toMillis(this.lease.due()) + 1;
			nextExchange = exchangesUntil(nextExchange, now, interval);
			beat(now);
			assertThat(this.lease.state()).as("the first lock after %d ms, %d heartbeats later", first, i)
				.isEqualTo(LockState.HELD);
		}
	}

	private long exchangesUntil(long next, long now, long interval) {
		long due = next;
		for (; due + ROUND_TRIP <= now; due += interval) {
			exchange(due);
		}
		return due;
	}

	@Test
	void connectionWithAShorterTimeoutShortensTheLease() {
		this.lease.nodeCreated(0);
		this.lease.keep();
		this.granted = 12_000;
		assertThat(left()).isEqualTo(12_000 - 600 - 7917);
		this.granted = 40_000;
		assertThat(left()).isEqualTo(12_000 - 600 - 7917);
	}

	@ParameterizedTest
	@CsvSource({ "4000, 2000", "5000, 2000", "6000, 2000", "10000, 2000", "20000, 2000", "30000, 2000", "60000, 2000",
			"20000, 3000", "60000, 10000", "2000, 200", "4000, 500" })
	void leaseNeverRunsOutWhileEverythingWorks(long timeout, long tick) {
		this.lease = lease(timeout, tick);
		long interval = TimeUnit.NANOSECONDS.toMillis(this.lease.terms().interval());
		exchangesUntil(0, 10 * interval, interval);
		this.lease.nodeCreated(this.lease.now());
		assertThat(this.lease.isFresh()).isTrue();
		this.lease.keep();
		long least = left();
		for (int i = 0; i < 100; i++) {
			beat(TimeUnit.NANOSECONDS.toMillis(this.lease.due()) + 1);
			least = Math.min(least, left(this.lease.due()));
			assertThat(this.lease.state()).isEqualTo(LockState.HELD);
		}
		assertThat(least).isGreaterThan(timeout / 12);
	}

	@ParameterizedTest
	@ValueSource(longs = { 100, 200, 2000, 3000, 10_000, 30_000 })
	void leastTimeoutIsTheShortestThatLeavesALease(long tick) {
		long least = terms(10_000, tick).leastTimeoutMillis();
		assertThat(terms(least, tick).leaveALease()).isTrue();
		assertThat(terms(least - 2, tick).leaveALease()).isFalse();
	}

	@Test
	void nothingEndsByTheClockIfThereIsNoLease() {
		this.lease = lease(2000, 2000);
		assertThat(this.lease.isPossible()).isFalse();
		this.lease.nodeCreated(0);
		at(100_000);
		assertThat(this.lease.state()).isEqualTo(LockState.HELD);
		assertThat(this.lease.isFresh()).isTrue();
	}

	private SessionLease lease(long timeout, long tick) {
		this.granted = (int) timeout;
		return new SessionLease(terms(timeout, tick), this.clock::get, () -> this.granted);
	}

	private static SessionLease.Terms terms(long timeout, long tick) {
		return SessionLease.Terms.of(Duration.ofMillis(timeout), Duration.ofMillis(tick));
	}

	private void beat(long sent) {
		beat(sent, ROUND_TRIP);
	}

	private void beat(long sent, long roundTrip) {
		at(sent + roundTrip);
		this.lease.beaten(nanos(sent));
	}

	private void exchange(long sent) {
		exchange(sent, ROUND_TRIP);
	}

	private void exchange(long sent, long roundTrip) {
		at(sent + roundTrip);
		this.lease.exchanged(nanos(sent));
	}

	private void at(long millis) {
		this.clock.addAndGet(nanos(millis) - this.lease.now());
	}

	private long left() {
		return left(this.lease.now());
	}

	private long left(long when) {
		return Math.round((this.lease.remaining() + this.lease.now() - when) / 1e6);
	}

	private static long nanos(long millis) {
		return TimeUnit.MILLISECONDS.toNanos(millis);
	}

}
