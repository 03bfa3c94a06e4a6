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

import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockTick;
import io.github.zklock.zookeeper.node.JobRecord;
import io.github.zklock.zookeeper.node.JobRecord.Run;
import io.github.zklock.zookeeper.node.ReplyCode;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.AsyncCallback.MultiCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.ErrorResult;
import org.apache.zookeeper.OpResult.GetChildrenResult;
import org.apache.zookeeper.OpResult.GetDataResult;
import org.apache.zookeeper.OpResult.SetDataResult;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Lets a planned run happen once. A contender is refused if the {@link JobRules rules}
 * refuse its run. The first contender in the queue records its run at the job before it
 * holds the lock. It does so in one transaction that checks its node and the version of
 * what it has read. So a record exists only if its contender was first, and no run is
 * recorded over one that was not seen. It is never taken back.
 */
final class JobGate implements Gate {

	// Of a node that does not exist.
	private static final int NO_VERSION = -1;

	private final Place place;

	private final JobMemory jobs;

	private final LockTick tick;

	private final String path;

	private final JobRules rules;

	private @Nullable JobRecord known;

	private int version = NO_VERSION;

	private long recordedAt;

	private State state = State.UNREAD;

	private @Nullable Long sentAt;

	private boolean vanishes;

	private boolean hasChildren;

	// The node of this contender when it was first and read the job.
	private @Nullable String readAs;

	// The leader has refused the last record, so a read shows whether an earlier one was
	// written.
	private boolean lastRecordRefused;

	JobGate(Place place, LockTick tick, JobMemory jobs) {
		this.place = place;
		this.jobs = jobs;
		this.tick = tick;
		this.path = place.services.paths().job(tick, place.request.key());
		this.rules = new JobRules(place, tick, this.path, jobs);
	}

	/**
	 * Return the code of one operation of a transaction. It is OK if there is none.
	 */
	static int code(@Nullable List<OpResult> results, int operation) {
		return (result(results, operation) instanceof ErrorResult error) ? error.getErr() : Code.OK.intValue();
	}

	private static @Nullable OpResult result(@Nullable List<OpResult> results, int operation) {
		return (results != null && results.size() > operation) ? results.get(operation) : null;
	}

	@Override
	public boolean mustSeeQueueFirst() {
		return true;
	}

	// The queue and the node of the job in one packet. A run that is too late is refused.
	@Override
	public void readQueue(Consumer<@Nullable List<String>> listed) {
		if (!this.place.checkReadable(this.path)) {
			return;
		}
		this.place.session.requests().guard(this.path);
		MultiCallback replied = this.place.session.replies()
			.reads(this.path, (int rc, String asked, Object context, @Nullable List<OpResult> results) -> this.place
				.runReply(() -> onFirstRead(results, listed)));
		this.place.session.zooKeeper()
			.multi(List.of(Op.getChildren(this.place.directory), Op.getData(this.path)), replied, null);
	}

	private void onFirstRead(@Nullable List<OpResult> results, Consumer<@Nullable List<String>> listed) {
		OpResult job = result(results, 1);
		List<String> queue = (job != null && result(results, 0) instanceof GetChildrenResult children)
				? children.getChildren() : null;
		JobRecord record = (job instanceof GetDataResult found) ? JobRecord.parse(found.getData()) : null;
		if (this.rules.waitsForLast(record, queue)) {
			// Its end is not known yet. This contender reads it when it is first.
			listed.accept(queue);
			return;
		}
		boolean refused = (job instanceof GetDataResult found)
				? refuseUnlessDue(Code.OK.intValue(), record, found.getStat())
				: job instanceof ErrorResult error && refuseUnlessDue(error.getErr(), null, null);
		if (!refused) {
			listed.accept(queue);
		}
	}

	private boolean refuseUnlessDue(int rc, @Nullable JobRecord record, @Nullable Stat stat) {
		switch (ReplyCode.of(rc)) {
			case OK, NO_NODE -> {
				learn(record, stat);
				return refuseUnlessDue();
			}
			case REFUSED -> {
				refuse(rc);
				return true;
			}
			default -> {
				return false;
			}
		}
	}

	private void refuse(int rc) {
		this.place.refuse((failures) -> failures.denied(ReplyCode.text(rc), this.path, "CREATE, READ and WRITE"));
	}

	// What cannot be read counts as no record, and is overwritten.
	private void learn(@Nullable JobRecord record, @Nullable Stat stat) {
		this.known = this.jobs.believed(this.path, record, stat);
		this.version = (stat != null) ? stat.getVersion() : NO_VERSION;
		this.vanishes = stat != null && JobRecord.mayVanish(stat);
		this.hasChildren = stat != null && stat.getNumChildren() > 0;
		this.recordedAt = (this.known != null && stat != null) ? this.known.recordedAt(stat.getMtime()) : 0;
		this.state = State.READ;
		if (stat != null && this.jobs.isNew(this.path, stat)) {
			this.place.services.found().accept(this.place.session, this.path);
		}
		if (stat != null && this.known == null) {
			this.jobs.unreadable(this.path);
		}
		else if (this.known != null && isOwn(this.known.last())) {
			this.state = State.RECORDED;
		}
	}

	// A record with an earlier node of this call is made again: others watch that node.
	private boolean isOwn(@Nullable Run run) {
		return run != null && run.call().equals(this.tick.call()) && this.place.isQueued()
				&& run.lock().equals(this.place.node().name());
	}

	private boolean refuseUnlessDue() {
		Function<AttemptFailures, LockException> refusal = this.rules.refusal(this.known, this.version,
				this.recordedAt);
		if (refusal != null) {
			this.place.refuse(refusal);
		}
		else if (this.hasChildren && this.state == State.READ) {
			refuseVanishing();
			return true;
		}
		return refusal != null;
	}

	private void refuseVanishing() {
		this.place.services.found().accept(this.place.session, this.path);
		this.place.refuse((failures) -> failures.vanishes(this.path));
	}

	// Record the run unless it is recorded.
	@Override
	public boolean ensurePassed() {
		// What the first contender reads is not replaced by others, so its version is
		// enough to delete it.
		boolean stale = this.vanishes && !this.place.node().path().equals(this.readAs);
		if (this.state == State.UNREAD || (this.state == State.READ && stale)) {
			readAlone();
		}
		else if (this.state == State.READ && !refuseUnlessDue()) {
			record();
		}
		return this.state == State.RECORDED;
	}

	private void readAlone() {
		if (!this.place.checkReadable(this.path)) {
			return;
		}
		this.state = State.IN_FLIGHT;
		this.readAs = this.place.node().path();
		this.place.session.requests().guard(this.path);
		DataCallback replied = this.place.session.replies()
			.read(this.path, (int rc, String asked, Object context, byte @Nullable [] data,
					@Nullable Stat stat) -> this.place.runReply(() -> onRead(rc, data, stat)));
		this.place.session.zooKeeper().getData(this.path, false, replied, null);
	}

	private void onRead(int rc, byte @Nullable [] data, @Nullable Stat stat) {
		this.state = State.UNREAD;
		if (refuseUnlessDue(rc, JobRecord.parse(data), stat)) {
			return;
		}
		if (this.state == State.UNREAD) {
			this.place.onReply(rc, this.place::list, this.place::list);
		}
		else if (this.state == State.READ && this.lastRecordRefused) {
			// No record was written.
			this.sentAt = null;
			if (this.place.owner.withdrawOverdue(this.place)) {
				this.place.passGates();
			}
		}
		else {
			this.place.passGates();
		}
	}

	// Its record may exist, and then no other node runs this tick. It is zero if no
	// record was sent, or all are known to have failed. It ends a session timeout after
	// the first record. A run that is not granted by then is lost.
	@Override
	public long grace() {
		if (this.sentAt == null) {
			return 0;
		}
		long timeout = this.place.session.lease().terms().timeout();
		return Math.max(this.sentAt + timeout - this.place.services.tasks().nanoTime(), 0);
	}

	private void record() {
		if (this.sentAt == null) {
			this.sentAt = this.place.services.tasks().nanoTime();
		}
		this.lastRecordRefused = false;
		Run run = new Run(JobRules.time(this.tick), this.tick.isByHand(), this.tick.call(),
				this.rules.attempt(this.known), this.place.node().name(),
				this.place.services.names().process(this.place.session.id()), now(), null, null, this.tick.shards());
		JobRecord before = (this.known != null) ? this.known
				: JobRecord.of(this.tick.schedule(), this.place.services.paths().shown(this.place.request.key()));
		JobRecord record = before.with(run, this.place.data, this.recordedAt);
		byte[] data = record.data();
		boolean first = this.version == NO_VERSION;
		Op write = first ? Op.create(this.path, data, this.place.acls.directory(), CreateMode.PERSISTENT)
				: Op.setData(this.path, data, this.version);
		List<Op> operations = List.of(Op.check(this.place.node().path(), -1), write);
		this.state = State.IN_FLIGHT;
		MultiCallback replied = this.place.session.replies()
			.multi((int rc, String asked, Object context, @Nullable List<OpResult> results) -> this.place
				.runReply(() -> onReplyToRecord(rc, results, record, first)));
		this.place.session.zooKeeper().multi(this.vanishes ? replacing(data) : operations, replied, null);
	}

	private List<Op> replacing(byte[] data) {
		return List.of(Op.check(this.place.node().path(), -1), Op.delete(this.path, this.version),
				Op.create(this.path, data, this.place.acls.directory(), CreateMode.PERSISTENT));
	}

	private long now() {
		return Objects.requireNonNull(this.place.session.clock().now(), "A node was created").toEpochMilli();
	}

	private void onReplyToRecord(int rc, @Nullable List<OpResult> results, JobRecord record, boolean first) {
		this.state = State.UNREAD;
		int write = code(results, 1);
		// Without the node of the job, another client has deleted it.
		if (write == Code.BADVERSION.intValue() || write == Code.NODEEXISTS.intValue()
				|| write == Code.NONODE.intValue() || write == Code.NOTEMPTY.intValue()) {
			this.lastRecordRefused = true;
			this.place.passGates();
		}
		else if (ReplyCode.of(rc) == ReplyCode.REFUSED && this.vanishes) {
			refuseVanishing();
		}
		else if (ReplyCode.of(rc) == ReplyCode.REFUSED) {
			refuse(rc);
		}
		else {
			this.place.onReply(rc, () -> recorded(results, record, first), this.place::list);
		}
	}

	private void recorded(@Nullable List<OpResult> results, JobRecord record, boolean first) {
		this.state = State.RECORDED;
		this.known = record;
		this.version = (result(results, 1) instanceof SetDataResult set) ? set.getStat().getVersion() : 0;
		this.jobs.recorded(this.tick, now(), first);
		if (this.vanishes) {
			this.vanishes = false;
			this.jobs.replaced(this.path);
		}
		if (this.place.session.isUsable()) {
			this.place.passGates();
		}
		else {
			this.place.resumeLater(this.place::list);
		}
	}

	// The recorded run writes its end at the release.
	@Override
	public JobRun obligation() {
		return new JobRun(this.place.services, this.jobs, this.place.node(), this.path,
				Objects.requireNonNull(this.known, "The run is recorded"), this.version);
	}

	private enum State {

		/** What the node says is not known. */
		UNREAD,

		/** The node was read, and allows the run. */
		READ,

		/** The reply has not come yet. */
		IN_FLIGHT,

		/** The record belongs to this run. */
		RECORDED

	}

}
