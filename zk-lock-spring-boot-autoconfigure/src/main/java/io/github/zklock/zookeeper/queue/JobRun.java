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
import io.github.zklock.core.internal.RecordedRun;
import io.github.zklock.core.internal.RunOutcome;
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
 * the lock is released without it, and the run looks as if it had died.
 */
public final class JobRun implements RecordedRun {

	private static final Logger logger = LoggerFactory.getLogger(JobRun.class);

	private static final int MOST_TRIES = 3;

	private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

	private final Services shared;

	private final LockNode node;

	private final String path;

	private JobRecord record;

	private int version;

	private volatile RunOutcome outcome = RunOutcome.DONE;

	private int tries;

	// Whether a write was sent whose answer did not come: it may have deleted the node.
	private boolean unknown;

	private Runnable onLoss = () -> {
	};

	private volatile Runnable onUnfinished = () -> {
	};

	private final CompletableFuture<@Nullable Void> released = new CompletableFuture<>();

	JobRun(Services shared, LockNode node, String path, JobRecord record, int version) {
		this.shared = shared;
		this.node = node;
		this.path = path;
		this.record = record;
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
		return Objects.requireNonNull(this.record.last()).attempt();
	}

	/**
	 * Write the end of the run and delete the node of its lock. Called once.
	 * @param onLoss runs if the node was gone before, so that the lock was lost
	 * @return a future that ends when the node is gone
	 */
	public CompletableFuture<@Nullable Void> release(Runnable onLoss) {
		this.onLoss = onLoss;
		LockSession session = this.node.session();
		Instant now = Objects.requireNonNull(session.clock().now(), "A node was created");
		this.record = this.record.ended(now.toEpochMilli(), this.outcome);
		if (this.outcome.isUnfinished()) {
			this.released.thenRun(() -> this.shared.tasks().callBack(this.onUnfinished));
		}
		send();
		return this.released;
	}

	// In another session the node may be gone, and others may have seen that.
	private void send() {
		LockSession session = this.node.session();
		if (session.isUsable()) {
			List<Op> operations = List.of(Op.setData(this.path, this.record.data(), this.version),
					Op.delete(this.node.path(), -1));
			session.zooKeeper()
				.multi(operations,
						session.replies().multi((rc, asked, context, results) -> replied(rc, JobGate.code(results, 0))),
						null);
		}
		else if (session.state() == LockState.LOST) {
			releaseOnly("the session has ended");
		}
		else {
			this.shared.tracker().whenUsable(this::send);
		}
	}

	private void replied(int rc, int write) {
		if (rc == Code.OK.intValue()) {
			ended();
		}
		else if (write == Code.BADVERSION.intValue() && ++this.tries <= MOST_TRIES) {
			read();
		}
		else if (ReplyCode.of(rc) != ReplyCode.UNKNOWN || this.tries > MOST_TRIES) {
			releaseOnly(ReplyCode.text(rc));
		}
		else {
			this.unknown = true;
			sendLater();
		}
	}

	private void sendLater() {
		this.shared.tasks().later(this::send, PAUSE, () -> releaseOnly("the engine has ended"));
	}

	// Another client has written meanwhile, or the first answer was lost. Data that are
	// too long would cut the connection.
	private void read() {
		LockSession session = this.node.session();
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
		Run last = (found != null) ? found.last() : null;
		Run own = Objects.requireNonNull(this.record.last());
		if (found != null && last != null && stat != null && last.isOfCallOf(own) && last.lock().equals(own.lock())) {
			if (last.ended() != null) {
				// Another client may have written that, while the node is still there.
				this.shared.janitor().remove(this.node).thenAccept((existed) -> this.released.complete(null));
				return;
			}
			this.version = stat.getVersion();
			this.record = found.ended(Objects.requireNonNull(own.ended()), this.outcome);
			send();
		}
		else if (ReplyCode.of(rc) == ReplyCode.UNKNOWN) {
			sendLater();
		}
		else {
			releaseOnly((rc == Code.OK.intValue()) ? "the record is of another run" : ReplyCode.text(rc));
		}
	}

	private void ended() {
		this.shared.names().forget(this.node.contender());
		this.released.complete(null);
	}

	private void releaseOnly(String reason) {
		logger.warn("The end of a run {} written at {}, so the run may seem to have died: {}",
				this.unknown ? "may not be" : "is not", this.path, reason);
		CompletableFuture<@Nullable Void> gone = this.unknown ? this.shared.janitor().settle(this.node, this.onLoss)
				: this.shared.janitor().release(this.node, this.onLoss);
		gone.thenAccept((ignored) -> this.released.complete(null));
	}

}
