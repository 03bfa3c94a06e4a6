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
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockTick;
import io.github.zklock.zookeeper.node.QueuePlace;
import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.node.TickRecord;
import io.github.zklock.zookeeper.session.LockSession;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.jspecify.annotations.Nullable;

/**
 * Lets a planned run happen once. A contender is refused if its run, or a later one, has
 * left a record. The first contender in the queue creates its record before it holds the
 * lock, in one transaction that checks its node. So a record exists only if its contender
 * was first, and each later one finds it. It is never taken back.
 */
final class TickGate {

	private static final double PART_OF_A_PERIOD = 0.9;

	private static final Duration LONGEST_LOOK = Duration.ofMillis(50);

	private final Contenders shared;

	private final LockSession session;

	private final QueuePlace place;

	private final LockTick tick;

	private final String directory;

	private final QueueContender contender;

	private final TickRecord run;

	// The name never changes, so a repeated attempt cannot leave two records.
	private @Nullable TickRecord record;

	private List<TickRecord> earlier = List.of();

	private State state = State.ABSENT;

	/**
	 * Return the gate for the run of a place, or {@code null} if it has no run.
	 */
	static @Nullable TickGate of(Contenders shared, LockSession session, QueuePlace place, QueueContender contender) {
		LockTick tick = place.tick();
		return (tick != null) ? new TickGate(shared, session, place, tick, contender) : null;
	}

	private TickGate(Contenders shared, LockSession session, QueuePlace place, LockTick tick,
			QueueContender contender) {
		this.shared = shared;
		this.session = session;
		this.place = place;
		this.tick = tick;
		this.directory = shared.paths().directory(place.key());
		this.contender = contender;
		this.run = TickRecord.of(tick, shared.names().process(), 0);
	}

	/**
	 * Check the records of a key. Refuse the contender if its run is too late.
	 * @return whether it is refused
	 */
	boolean refuses(List<String> children) {
		List<TickRecord> others = new ArrayList<>();
		for (String child : children) {
			TickRecord record = TickRecord.parse(child);
			if (record == null || !record.isOfScheduleOf(this.run)) {
				continue;
			}
			if (record.isOfCallOf(this.run)) {
				this.state = State.RECORDED;
			}
			else if (excludes(record)) {
				refuse(record);
				return true;
			}
			else if (record.millis() <= this.run.millis()) {
				others.add(record);
			}
		}
		this.earlier = others;
		return false;
	}

	private boolean excludes(TickRecord record) {
		if (!record.isPeriodic()) {
			return record.overtakes(this.run);
		}
		if (record.process().equals(this.run.process())) {
			return false;
		}
		Duration seen = this.shared.ticks().since(this.directory, record);
		Duration byLeader = this.session.clock().since(record.leaderMillis());
		// The time of the leader is known once a node was created.
		return byLeader != null && isInPeriod(byLeader) && isInPeriod(seen);
	}

	private boolean isInPeriod(Duration age) {
		return age.toNanos() < this.tick.period().toNanos() * PART_OF_A_PERIOD;
	}

	private void refuse(TickRecord record) {
		LockTick run = record.tick(this.tick);
		String path = this.directory + "/" + record.name();
		this.contender.refuse((failures) -> failures.hasRun(run, () -> {
			// Runs on the thread that asks for the holder.
			CompletableFuture<Optional<LockHolder>> runner = this.session.ownerOf(path);
			this.shared.tasks().awaitUnlessInterrupted(runner, LONGEST_LOOK);
			return runner.getNow(Optional.empty()).orElse(null);
		}));
	}

	/**
	 * Let the contender hold the lock once its run is recorded. Called when it is first
	 * in the queue; it may list the queue again before.
	 */
	void enter(Runnable granted) {
		switch (this.state) {
			case RECORDED -> granted.run();
			case ABSENT -> record(granted);
			case IN_FLIGHT -> {
			}
		}
	}

	private void record(Runnable granted) {
		TickRecord record = (this.record != null) ? this.record : TickRecord.of(this.tick, this.run.process(), now());
		this.record = record;
		String path = this.directory + "/" + record.name();
		List<Op> operations = new ArrayList<>();
		operations.add(Op.check(this.contender.node().path(), -1));
		operations.add(Op.create(path, this.place.data(), this.shared.paths().acl(path), CreateMode.PERSISTENT));
		this.earlier.forEach((other) -> operations.add(Op.delete(this.directory + "/" + other.name(), -1)));
		boolean first = this.earlier.isEmpty();
		this.state = State.IN_FLIGHT;
		this.session.zooKeeper()
			.multi(operations, this.session.replies()
				.multi((int rc, String asked, Object context, @Nullable List<OpResult> results) -> this.contender
					.reply(() -> replied(rc, record, first, granted))), null);
	}

	private long now() {
		return Objects.requireNonNull(this.session.clock().now(), "A node was created").toEpochMilli();
	}

	private void replied(int rc, TickRecord record, boolean first, Runnable granted) {
		this.state = State.ABSENT;
		switch (ReplyCode.of(rc)) {
			case OK -> {
				this.state = State.RECORDED;
				this.shared.ticks().recorded(this.tick, record, first);
				if (this.session.isUsable()) {
					granted.run();
				}
				else {
					this.contender.pause(this.contender::list);
				}
			}
			// The node of the contender or an earlier record is gone.
			case NO_NODE -> this.contender.list();
			case SESSION_ENDED -> this.contender.vanish();
			case REFUSED -> this.contender.refuse(rc);
			// A second record with this name fails until a listing shows the first.
			case UNKNOWN -> this.contender.pause(this.contender::list);
		}
	}

	private enum State {

		/** There is no record yet, as far as is known. */
		ABSENT,

		/** The reply has not come yet. */
		IN_FLIGHT,

		/** The record is that of this run. */
		RECORDED

	}

}
