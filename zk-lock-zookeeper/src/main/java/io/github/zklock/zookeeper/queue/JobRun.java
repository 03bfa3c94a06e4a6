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
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockState;
import io.github.zklock.core.spi.RecordedRun;
import io.github.zklock.core.spi.RunOutcome;
import io.github.zklock.zookeeper.node.EarlierRun;
import io.github.zklock.zookeeper.node.JobRecord;
import io.github.zklock.zookeeper.node.JobRecord.Run;
import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.session.LockSession;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run that is recorded at its job. Its end is written by the transaction that deletes
 * the node of its lock, so that others see both or none. If the end cannot be written,
 * the lock is released without it, and the run looks as if it had died. The work may end
 * before its session, in an outage. Then its end is written in the next session, unless
 * another run has begun. This process knows it until then.
 */
public final class JobRun implements RecordedRun, Gate.Obligation {

	private static final Logger logger = LoggerFactory.getLogger(JobRun.class);

	private static final int MOST_TRIES = 3;

	private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

	private final Services services;

	private final JobMemory jobs;

	private final LockNode node;

	private final String path;

	private Run run;

	private JobRecord record;

	private int version;

	private volatile RunOutcome outcome = RunOutcome.DONE;

	private int tries;

	private NodeState state = NodeState.HELD;

	private Runnable onLoss = () -> {
	};

	private volatile Runnable onUnfinished = () -> {
	};

	private final CompletableFuture<@Nullable Void> released = new CompletableFuture<>();

	JobRun(Services services, JobMemory jobs, LockNode node, String path, JobRecord record, int version) {
		this.services = services;
		this.jobs = jobs;
		this.node = node;
		this.path = path;
		this.record = record;
		this.run = Objects.requireNonNull(record.last());
		this.version = version;
	}

	@Override
	public void endsAs(RunOutcome outcome) {
		if (this.outcome != RunOutcome.UNUSED) {
			this.outcome = outcome;
		}
	}

	@Override
	public void whenUnfinished(Runnable action) {
		this.onUnfinished = action;
	}

	@Override
	public RunOutcome outcome() {
		return this.outcome;
	}

	@Override
	public int attempt() {
		return this.run.attempt();
	}

	// The run has not taken place.
	@Override
	public void lockUnused() {
		endsAs(RunOutcome.UNUSED);
	}

	// The end of the run is written with the delete.
	@Override
	public CompletableFuture<@Nullable Void> deleteNode(Runnable onLoss) {
		this.onLoss = onLoss;
		LockSession session = this.node.session();
		Instant now = Objects.requireNonNull(session.clock().now(), "A node was created");
		this.record = this.record.ended(now.toEpochMilli(), this.outcome);
		this.run = Objects.requireNonNull(this.record.last());
		if (!this.outcome.isUnfinished()) {
			this.jobs.hasEnded(this.path, this.run);
		}
		else {
			this.released.thenRun(() -> this.services.tasks().callBack(this.onUnfinished));
		}
		this.jobs.ending(this);
		this.released.thenRun(() -> this.jobs.ended(this));
		send();
		return this.released;
	}

	private @Nullable LockSession session() {
		LockSession session = this.node.session();
		if (session.state() == LockState.LOST) {
			return this.services.tracker().usable();
		}
		return session.isUsable() ? session : null;
	}

	/** Write the end. An answer that is not expected any more does no harm. */
	void send() {
		LockSession session = session();
		if (session == null) {
			this.services.tracker().whenUsable(this::send);
			return;
		}
		Op end = Op.setData(this.path, this.record.data(), this.version);
		List<Op> operations = (this.state == NodeState.GONE) ? List.of(end)
				: List.of(end, Op.delete(this.node.path(), -1));
		session.zooKeeper()
			.multi(operations,
					session.replies().multi((rc, asked, context, results) -> onEndReply(rc, JobGate.code(results, 0))),
					null);
	}

	private void onEndReply(int rc, int write) {
		if (rc == Code.OK.intValue()) {
			ended();
		}
		else if (write == Code.BADVERSION.intValue() && ++this.tries <= MOST_TRIES) {
			read();
		}
		else if (rc == Code.NONODE.intValue() && write == Code.OK.intValue()
				&& this.node.session().state() == LockState.LOST) {
			releaseNodeFirst();
		}
		else if (ReplyCode.of(rc).isOfServer() || this.tries > MOST_TRIES) {
			releaseOnly(ReplyCode.text(rc));
		}
		else {
			doubt();
			sendLater();
		}
	}

	private void doubt() {
		if (this.state == NodeState.HELD) {
			this.state = NodeState.UNKNOWN;
		}
	}

	// The servers have ended the session. Other clients may have seen that.
	private void releaseNodeFirst() {
		this.services.janitor().releaseInDoubt(this.node, this::nodeWasGone).thenAccept((ignored) -> {
			if (this.state != NodeState.LOST) {
				this.state = NodeState.GONE;
			}
			if (this.state == NodeState.GONE && JobMemory.isSame(this.run, this.record.last())) {
				send();
			}
			else {
				releaseOnly("the session has ended");
			}
		});
	}

	private void nodeWasGone() {
		this.state = NodeState.LOST;
		this.jobs.forget(this.path, this.run);
		this.onLoss.run();
	}

	private void sendLater() {
		this.services.tasks().later(this::send, PAUSE, () -> releaseOnly("the engine has ended"));
	}

	// Another client has written meanwhile, or the first answer was lost. Data that are
	// too long would cut the connection.
	private void read() {
		LockSession session = session();
		if (session == null) {
			send();
			return;
		}
		session.zooKeeper()
			.exists(this.path, false, session.replies().stat((int rc, String asked, Object context, Stat stat) -> {
				if (stat != null && stat.getDataLength() > JobRecord.MAX_LENGTH) {
					releaseOnly("its data are too long");
				}
				else {
					readData(session);
				}
			}), null);
	}

	private void readData(LockSession session) {
		session.zooKeeper()
			.getData(this.path, false,
					session.replies()
						.data((int rc, String asked, Object context, byte @Nullable [] data,
								@Nullable Stat stat) -> found(rc, data, stat)),
					null);
	}

	private void found(int rc, byte @Nullable [] data, @Nullable Stat stat) {
		JobRecord found = JobRecord.parse(data);
		if (found != null && hasEnd(found, this.run)) {
			written();
		}
		else if (found != null && stat != null && JobMemory.isSame(this.run, found.last())) {
			this.version = stat.getVersion();
			this.record = found.ended(Objects.requireNonNull(this.run.ended()), this.outcome);
			send();
		}
		else if (found != null && stat != null && !this.state.isGone() && isOpenEarlier(found)) {
			this.version = stat.getVersion();
			this.record = EarlierRun.end(found, this.run, stat.getMtime());
			send();
		}
		else if (!ReplyCode.of(rc).isOfServer()) {
			sendLater();
		}
		else {
			releaseOnly((rc == Code.OK.intValue()) ? "the record is of another run" : ReplyCode.text(rc));
		}
	}

	// Ticks that are split into shards share their lock, so a later one may have begun.
	// The end of this one is written with the delete of the node only: without the node,
	// the run may be repeated.
	private boolean isOpenEarlier(JobRecord record) {
		return record.earlier().stream().anyMatch((other) -> other.outcome() == null && other.isOf(this.run));
	}

	// A later run of this process, or of one that has seen it, is recorded with it.
	private static boolean hasEnd(JobRecord record, Run run) {
		if (JobMemory.isSame(run, record.last())) {
			return !record.isOpen();
		}
		return record.earlier().stream().anyMatch((other) -> other.outcome() == run.outcome() && other.isOf(run));
	}

	// A later run, or another client, may have written that while the node was there. If
	// no write of this run is in doubt, a node that is gone shows that the lock was lost.
	private void written() {
		switch (this.state) {
			case GONE, LOST -> this.released.complete(null);
			case HELD -> this.services.janitor()
				.release(this.node, this::nodeWasGone)
				.thenAccept((ignored) -> this.released.complete(null));
			case UNKNOWN ->
				this.services.janitor().remove(this.node).thenAccept((existed) -> this.released.complete(null));
		}
	}

	// Another server may show the record without its end and without the node, if they
	// were not written together.
	private void ended() {
		if (this.state != NodeState.GONE) {
			this.jobs.forget(this.path, this.run);
		}
		this.services.names().forget(this.node.contender());
		this.released.complete(null);
	}

	private void releaseOnly(String reason) {
		boolean doubtful = this.state == NodeState.UNKNOWN;
		logger.warn("The end of a run {} written at {}, so the run may seem to have died: {}",
				doubtful ? "may not be" : "is not", this.path, reason);
		if (this.state.isGone()) {
			this.released.complete(null);
			return;
		}
		CompletableFuture<@Nullable Void> gone = doubtful
				? this.services.janitor().releaseInDoubt(this.node, this::nodeWasGone)
				: this.services.janitor().release(this.node, this::nodeWasGone);
		gone.thenAccept((ignored) -> this.released.complete(null));
	}

	/** The node of the lock. */
	private enum NodeState {

		/** It is there, as far as this process knows. */
		HELD,

		/** A write was sent whose answer did not come. It may have deleted the node. */
		UNKNOWN,

		/** It is gone with its session, and the lock was not lost before. */
		GONE,

		/** It was gone before, so that the lock was lost. */
		LOST;

		private boolean isGone() {
			return this == GONE || this == LOST;
		}

	}

}
