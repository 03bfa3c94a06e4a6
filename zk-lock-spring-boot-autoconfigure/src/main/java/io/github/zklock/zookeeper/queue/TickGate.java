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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockTick;
import io.github.zklock.zookeeper.node.OwnerData;
import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.node.TickRecord;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.ErrorResult;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Lets a planned run happen once. A contender is refused if its run, or a later one, has
 * left a record. The first contender in the queue creates its record before it holds the
 * lock, in one transaction that checks its node. So a record exists only if its contender
 * was first, and each later one finds it. It is never taken back.
 */
final class TickGate {

	private static final double PART_OF_A_PERIOD = 0.9;

	// Another client may create any number of them.
	private static final int MOST_DELETES = 100;

	private final ContenderSteps steps;

	private final LockTick tick;

	private final TickRecord run;

	// The name never changes, so a repeated attempt cannot leave two records.
	private @Nullable TickRecord record;

	private List<TickRecord> earlier = List.of();

	// Forged ones, and others that cannot be deleted.
	private final Set<String> passedOver = new HashSet<>();

	private State state = State.ABSENT;

	private long sentAt;

	/**
	 * Return the gate for the run of a contender, or {@code null} if it has no run.
	 */
	static @Nullable TickGate of(ContenderSteps steps) {
		LockTick tick = steps.request.tick();
		return (tick != null) ? new TickGate(steps, tick) : null;
	}

	private TickGate(ContenderSteps steps, LockTick tick) {
		this.steps = steps;
		this.tick = tick;
		this.run = TickRecord.of(tick, steps.shared.names().process(), 0);
	}

	/**
	 * Check the records of a key. Refuse the contender if its run is too late, once the
	 * record that says so has proved to be no forged one.
	 * @param again lists the queue again if it has
	 * @return whether it is refused, or that is still to be found out
	 */
	boolean refuses(List<String> children, Runnable again) {
		List<TickRecord> others = new ArrayList<>();
		for (String child : children) {
			TickRecord record = TickRecord.parse(child);
			if (record == null || !record.isOfScheduleOf(this.run) || this.passedOver.contains(child)) {
				continue;
			}
			if (record.isOfCallOf(this.run)) {
				this.state = State.RECORDED;
			}
			else if (excludes(record)) {
				check(record, again);
				return true;
			}
			else if (others.size() < MOST_DELETES && (record.isPeriodic() || record.millis() <= this.run.millis())) {
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
		if (record.run().equals(this.run.run())) {
			return false;
		}
		long kept = (long) (this.tick.period().toNanos() * PART_OF_A_PERIOD);
		long known = this.steps.shared.marks()
			.since(this.steps.directory, record, this.steps.shared.tasks().nanoTime());
		Duration byLeader = this.steps.session.clock().since(record.leaderMillis());
		// The time of the leader is known once a node was created.
		return known < kept && byLeader != null && byLeader.toNanos() < kept;
	}

	// The names of nodes are free, and only the server knows since when a node is there.
	private void check(TickRecord record, Runnable again) {
		StatCallback replied = this.steps.session.replies()
			.stat((int rc, String asked, Object context, @Nullable Stat stat) -> this.steps
				.reply(() -> checked(rc, stat, record, again)));
		this.steps.session.zooKeeper().exists(this.steps.path(record.name()), false, replied, null);
	}

	private void checked(int rc, @Nullable Stat stat, TickRecord record, Runnable again) {
		if (ReplyCode.of(rc) == ReplyCode.NO_NODE) {
			again.run();
		}
		else if (isForged(rc, stat, record)) {
			this.passedOver.add(record.name());
			this.steps.shared.marks().passedOver(this.steps.path(record.name()));
			again.run();
		}
		else if (stat != null && OwnerData.isReadable(stat)) {
			readRunner(record);
		}
		else {
			refuse(record, null);
		}
	}

	private void readRunner(TickRecord record) {
		DataCallback replied = this.steps.session.replies()
			.data((int rc, String asked, Object context, byte @Nullable [] data, @Nullable Stat stat) -> this.steps
				.reply(() -> refuse(record, (stat != null) ? this.steps.session.owner(data, stat) : null)));
		this.steps.session.zooKeeper().getData(this.steps.path(record.name()), false, replied, null);
	}

	private void refuse(TickRecord record, @Nullable LockHolder runner) {
		this.steps.refuse((failures) -> failures.hasRun(record.tick(this.tick), runner));
	}

	// Of a record that this client may not read only the name is known.
	private boolean isForged(int rc, @Nullable Stat stat, TickRecord record) {
		if (rc == Code.NOAUTH.intValue()) {
			return record.isFarBeyond(this.run, serverMillis());
		}
		return stat != null && !record.isPlausible(stat.getCtime(), serverMillis());
	}

	// An unknown time is one at which the run is due.
	private long serverMillis() {
		Instant now = this.steps.session.clock().now();
		return (now != null) ? now.toEpochMilli() : Long.MAX_VALUE / 2;
	}

	/**
	 * Return whether the run is recorded. If not, record it. Called when the contender is
	 * first in the queue, and again after the reply; it may list the queue before.
	 */
	boolean isRecorded() {
		if (this.state == State.ABSENT) {
			record();
		}
		return this.state == State.RECORDED;
	}

	/**
	 * Return for how long, in nanoseconds, the request must not end although its time is
	 * over: its record may exist, and then no other node runs this tick. It is zero if no
	 * record was sent. After a session timeout without an answer the session has ended.
	 */
	long grace() {
		if (this.record == null) {
			return 0;
		}
		long timeout = this.steps.session.lease().terms().timeout();
		return Math.max(this.sentAt + timeout - this.steps.shared.tasks().nanoTime(), 0);
	}

	private void record() {
		String process = this.steps.shared.names().process();
		TickRecord record = (this.record != null) ? this.record : TickRecord.of(this.tick, process, now());
		if (this.record == null) {
			this.sentAt = this.steps.shared.tasks().nanoTime();
		}
		this.record = record;
		String path = this.steps.path(record.name());
		List<Op> operations = new ArrayList<>();
		operations.add(Op.check(this.steps.contender().node().path(), -1));
		operations.add(Op.create(path, this.steps.data, this.steps.acls.nodes(), CreateMode.PERSISTENT));
		this.earlier.forEach((other) -> operations.add(Op.delete(this.steps.path(other.name()), -1)));
		boolean first = this.earlier.isEmpty();
		this.state = State.IN_FLIGHT;
		this.steps.session.zooKeeper()
			.multi(operations,
					this.steps.session.replies()
						.multi((int rc, String asked, Object context, @Nullable List<OpResult> results) -> this.steps
							.reply(() -> replied(rc, results, record, first))),
					null);
	}

	private long now() {
		return Objects.requireNonNull(this.steps.session.clock().now(), "A node was created").toEpochMilli();
	}

	// The node of the contender or an earlier record may be gone. A second record with
	// this name fails until a listing shows the first.
	private void replied(int rc, @Nullable List<OpResult> results, TickRecord record, boolean first) {
		this.state = State.ABSENT;
		if (rc == Code.NOTEMPTY.intValue()) {
			// The engine creates nothing below a record. Another client has.
			passOver(results);
			this.steps.list();
			return;
		}
		this.steps.onReply(rc, () -> {
			this.state = State.RECORDED;
			this.steps.shared.marks().recorded(this.tick, record, first);
			if (this.steps.session.isUsable()) {
				this.steps.contender().first(List.of());
			}
			else {
				this.steps.pause(this.steps::list);
			}
		}, this.steps::list);
	}

	private void passOver(@Nullable List<OpResult> results) {
		int writes = (results != null) ? results.size() - this.earlier.size() : 0;
		for (int i = 0; results != null && i < this.earlier.size(); i++) {
			if (results.get(writes + i) instanceof ErrorResult error && error.getErr() == Code.NOTEMPTY.intValue()) {
				this.passedOver.add(this.earlier.get(i).name());
			}
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
