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
import java.util.function.Function;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.node.AtLeastStamp;
import io.github.zklock.zookeeper.node.NodeAcls;
import io.github.zklock.zookeeper.node.QueueListing;
import io.github.zklock.zookeeper.node.QueueNode;
import io.github.zklock.zookeeper.queue.MinimumHolds.MinimumHold;
import io.github.zklock.zookeeper.request.CombinableRequest;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.session.LockSession;
import io.github.zklock.zookeeper.session.LockSession.Member;
import io.github.zklock.zookeeper.tasks.StateMachine;
import org.jspecify.annotations.Nullable;

/**
 * One place in the queue of a key, in one session. It enters the queue, watches the node
 * ahead of it, or as many as the key has permits, and reports when it is first. If the
 * outcome of a request is unknown, it searches for its node before it acts again. All
 * steps run under the given lock.
 *
 * @see <a href=
 * "https://zookeeper.apache.org/doc/r3.9.3/recipes.html#sc_recipes_Locks">ZooKeeper
 * recipes: Locks</a>
 */
public final class QueueContender implements Member {

	private final ContenderSteps steps;

	private final LockSession session;

	private final Outcome outcome;

	private final NodeCreation creation;

	private final PredecessorWatch watch;

	private final AtLeastGate gate;

	private final @Nullable JobGate job;

	private boolean othersBehind;

	private final StateMachine<State> state = new StateMachine<>(State.NEW, State::leadsTo);

	public QueueContender(Services shared, LockSession session, LockRequest request, byte[] data, NodeAcls acls,
			QueueMutex lock, Outcome outcome) {
		this.steps = new ContenderSteps(shared, session, request, data, acls, lock, outcome);
		this.session = session;
		this.outcome = outcome;
		this.creation = new NodeCreation(this.steps);
		this.watch = new PredecessorWatch(this.steps);
		this.gate = new AtLeastGate(this.steps);
		this.job = JobGate.of(this.steps);
	}

	/** Enter the queue, perhaps after a look at it. Called under the lock. */
	public void enter(boolean looking) {
		this.steps.begin(this);
		this.steps.unlessOver((looking || this.job != null) ? this::probe : this::create).run();
	}

	// For requests that do not wait or have a planned run: a taken key costs one read and
	// no write. The server may lag behind, so a key that was just released may look
	// taken. Only the queue decides whether a key is free.
	private void probe() {
		this.state.to(State.LOOKING);
		look();
	}

	private void look() {
		if (!this.steps.checkListable()) {
			return;
		}
		if (this.job != null) {
			this.job.look(this::probed);
		}
		else {
			this.session.requests()
				.send(CombinableRequest.listing(this.steps.directory, this.session.replies()
					.children((rc, asked, context, children) -> this.steps.reply(() -> probed(children)))));
		}
	}

	// Without a list of children the queue could not be read.
	private void probed(@Nullable List<String> children) {
		// A request that may not have been sent can be answered twice.
		if (!this.state.is(State.LOOKING)) {
			return;
		}
		QueueListing queue = (children != null) ? QueueListing.before(this.steps.request, children) : null;
		if (queue == null || queue.mismatch() != null || !this.gate.look(queue)
				|| this.outcome.waitBehindOthers(this)) {
			create();
		}
	}

	private void create() {
		this.state.to(State.ENTERED);
		this.creation.start();
	}

	/** Return whether its node is in the queue. */
	boolean isQueued() {
		return this.state.is(State.ENTERED) && !this.creation.isPending();
	}

	public LockSession session() {
		return this.session;
	}

	LockNode node() {
		return this.creation.node();
	}

	/** Return how many nanoseconds the request waits on after its time is over. */
	public long grace() {
		return (this.job != null && this.state.is(State.ENTERED)) ? this.job.grace() : 0;
	}

	/** Return the stamp that is in the way, if there is one. */
	public @Nullable AtLeastStamp blockingStamp() {
		return this.gate.blockingStamp();
	}

	/** Return the path of the holder or stamp that is known to be in the way. */
	public @Nullable String obstacle() {
		return this.gate.obstacle();
	}

	/** Leave the queue and delete the node, now or as soon as it is known. */
	public void abandon() {
		if (!isOver()) {
			end(false);
			this.creation.discard();
		}
	}

	/** Leave the queue after a failed step. This may be repeated. */
	public void giveUp() {
		this.creation.giveUp();
		end(false);
	}

	/**
	 * Confirm the session with a write unless that is known to live. Then the lock is
	 * granted after the reply: no other contender can come first meanwhile.
	 * @return whether the lock can be granted now
	 */
	public boolean ensureConfirmed() {
		if (!this.state.is(State.ENTERED)) {
			return false;
		}
		if (!this.session.isUsable()) {
			this.steps.pause(this.steps::list);
			return false;
		}
		return this.session.heartbeat()
			.ensureConfirmed(node(), (confirmed) -> this.steps
				.reply(confirmed ? () -> first(List.of()) : () -> this.steps.pause(this.steps::list)));
	}

	/** Turn the place into a lock, which deletes the node at its release. */
	public Grant toGrant() {
		JobRun run = (this.job != null) ? this.job.run() : null;
		Grant grant = new Grant(node(), this.gate.atLeast(node()), run, this.othersBehind);
		end(true);
		return grant;
	}

	@Override
	public void sessionLost() {
		locked(this.steps::vanish);
	}

	/** Check whether the watched node still exists, in case its event was lost. */
	public void recheck() {
		locked(this.watch::check);
	}

	public void locked(Runnable step) {
		this.steps.locked(step);
	}

	void listed(int rc, String asked, @Nullable Object context, List<String> children) {
		this.steps.reply(() -> {
			if (!this.creation.isPending()) {
				this.steps.onReply(rc, () -> evaluate(children), this.steps::vanish);
			}
		});
	}

	private void evaluate(List<String> children) {
		if (!this.session.isUsable()) {
			this.steps.pause(this.steps::list);
			return;
		}
		if (this.steps.refuseIfUsedUp(node())) {
			return;
		}
		QueueListing queue = QueueListing.of(children, node().name());
		if (queue.own() == null) {
			this.steps.vanish();
		}
		else {
			take(queue);
		}
	}

	private void take(QueueListing queue) {
		this.gate.look(queue);
		this.othersBehind = queue.areOthersBehind();
		List<QueueNode> ahead = queue.nearestAhead();
		if (queue.mismatch() != null) {
			int permits = queue.mismatch().permits();
			this.steps.refuse((failures) -> failures.otherPermits(permits));
		}
		else if (ahead.isEmpty()) {
			first(queue.stamps());
		}
		else if (this.outcome.waitBehindOthers(this)) {
			this.watch.arm(ahead.stream().map((node) -> this.steps.path(node.name())).toList(), queue.isNext());
		}
	}

	/** Called when the only contender ahead is gone; it may be back behind this one. */
	void predecessorGone() {
		this.othersBehind = true;
		first(List.of());
	}

	/**
	 * Hold the lock, now or as soon as possible. Called when no contender is ahead.
	 * @param stamps the stamps of others
	 */
	void first(List<AtLeastStamp> stamps) {
		String blocking = this.gate.blocking();
		if (blocking != null) {
			if (this.outcome.waitBehindOthers(this)) {
				this.gate.await();
				this.watch.arm(List.of(blocking), false);
			}
			return;
		}
		this.gate.removeOver(stamps);
		if ((this.job != null) ? this.job.ensureRecorded() : this.gate.ensureStamped()) {
			this.outcome.granted(this);
		}
	}

	boolean isOver() {
		return this.state.get().isOver();
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other;
	}

	// Equal in every run of a simulation, so that sets have the same order.
	@Override
	public int hashCode() {
		return this.steps.name.hashCode();
	}

	private void end(boolean granted) {
		if (granted) {
			this.state.to(State.GRANTED);
		}
		else {
			this.state.toIfPossible(State.LEFT);
		}
		this.gate.end(granted);
		this.steps.end(this);
		this.watch.disarm();
	}

	private enum State {

		NEW,

		/** It lists the queue before it enters. */
		LOOKING,

		/** Its node is being created, or waits for its turn. */
		ENTERED,

		/** Its place has become a lock. */
		GRANTED,

		/** It has left the queue, or its session has ended. */
		LEFT;

		boolean leadsTo(State next) {
			return switch (this) {
				case NEW -> next != GRANTED;
				case LOOKING -> next == ENTERED || next == LEFT;
				case ENTERED -> next == GRANTED || next == LEFT;
				case GRANTED, LEFT -> false;
			};
		}

		boolean isOver() {
			return this == GRANTED || this == LEFT;
		}

	}

	/**
	 * Is notified of what becomes of a contender. Called under the contender's lock.
	 */
	public interface Outcome {

		/**
		 * Called when no other contender has to go first any more.
		 * @param contender the contender, which is still in the queue
		 */
		void granted(QueueContender contender);

		/**
		 * Called when other contenders are first. May withdraw requests, even the last.
		 * @param contender the contender
		 * @return whether the contender still waits
		 */
		boolean waitBehindOthers(QueueContender contender);

		/**
		 * Called when the place in the queue is gone. Another one may be taken.
		 */
		void vanished();

		/**
		 * Called when the contender cannot get the lock.
		 * @param failure creates the exception for each request
		 */
		void refused(Function<AttemptFailures, LockException> failure);

	}

	/**
	 * A place in the queue that has become a lock.
	 *
	 * @param node the node, to be deleted by the holder of the lock
	 * @param atLeast the minimum time of the lock, if it has one
	 * @param run the recorded run of a job, if it is for one
	 * @param othersBehind whether other contenders are known to wait behind it
	 */
	public record Grant(LockNode node, @Nullable MinimumHold atLeast, @Nullable JobRun run, boolean othersBehind) {

	}

}
