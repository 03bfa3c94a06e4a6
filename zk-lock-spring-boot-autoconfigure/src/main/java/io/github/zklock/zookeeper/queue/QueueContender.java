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
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.github.zklock.core.LockException;
import io.github.zklock.zookeeper.node.AtLeastStamp;
import io.github.zklock.zookeeper.node.QueueListing;
import io.github.zklock.zookeeper.node.QueueNode;
import io.github.zklock.zookeeper.node.QueuePlace;
import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.queue.AtLeastGate.StampCreation;
import io.github.zklock.zookeeper.queue.AtLeastTimes.AtLeastTime;
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

	private static final long PAUSE_MS = 50;

	private final Contenders shared;

	private final LockSession session;

	private final String directory;

	private final QueueMutex lock;

	private final Outcome outcome;

	private final String contender;

	private final QueuePlace place;

	private final NodeCreation creation;

	private final PredecessorWatch watch;

	private final @Nullable TickGate tick;

	private final AtLeastGate gate;

	private boolean othersBehind;

	private @Nullable Runnable paused;

	private final StateMachine<State> state = new StateMachine<>(State.NEW, State::leadsTo);

	public QueueContender(Contenders shared, LockSession session, QueuePlace place, QueueMutex lock, Outcome outcome) {
		this.shared = shared;
		this.session = session;
		this.directory = shared.paths().directory(place.key());
		this.lock = lock;
		this.outcome = outcome;
		this.contender = shared.names().next();
		this.place = place;
		this.creation = new NodeCreation(shared, session, this.directory, this.contender, place, this, lock);
		this.watch = new PredecessorWatch(session, this);
		this.tick = TickGate.of(shared, session, place, this);
		this.gate = new AtLeastGate(shared, this.directory, place.mode(), this,
				StampCreation.of(shared, session, place, this.contender, this, lock), this.tick);
	}

	/** Enter the queue, perhaps after a look at it. Called under the lock. */
	public void enter(boolean looking) {
		this.session.join(this);
		unlessOver((looking || this.tick != null) ? this::probe : this::create).run();
	}

	// For requests that do not wait or have a planned run: a taken key costs one read and
	// no write. The server may lag behind, so a key that was just given back may look
	// taken. Only the queue decides whether a key is free.
	private void probe() {
		this.state.to(State.LOOKING);
		if (this.shared.syncsBeforeTry()) {
			// Later requests of this connection see what was committed before it.
			this.session.zooKeeper().sync(this.directory, (rc, synced, context) -> {
			}, null);
		}
		this.session.requests()
			.send(CombinableRequest.listing(this.directory,
					this.session.replies()
						.children((int rc, String asked, Object context,
								@Nullable List<String> children) -> reply(() -> probed(children)))));
	}

	// Without a list of children the queue could not be read.
	private void probed(@Nullable List<String> children) {
		// A request that may not have been sent can be answered twice.
		if (!this.state.is(State.LOOKING)) {
			return;
		}
		if (children != null && isRefused(children)) {
			return;
		}
		QueueListing queue = (children != null) ? QueueListing.before(this.place, children) : null;
		if (queue == null || queue.mismatch() != null || !this.gate.look(queue) || this.outcome.queued(this)) {
			create();
		}
	}

	private void create() {
		this.state.to(State.ENTERED);
		this.creation.start();
	}

	private boolean isRefused(List<String> children) {
		return this.tick != null && this.tick.refuses(children);
	}

	public LockSession session() {
		return this.session;
	}

	LockNode node() {
		return this.creation.node();
	}

	/** Return the stamp that is in the way, if there is one. */
	public @Nullable AtLeastStamp keeping() {
		return this.gate.keeping();
	}

	/** Return the path of the holder or stamp that is known to be in the way. */
	public @Nullable String obstacle() {
		return this.gate.obstacle();
	}

	/** Leave the queue and delete the node, now or as soon as it is known. */
	public void abandon() {
		if (!this.state.get().isOver()) {
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
	 * Return whether the lock can be granted now. If not, list the queue again once a
	 * write has confirmed the session.
	 */
	public boolean isAdmitted() {
		if (!this.state.is(State.ENTERED)) {
			return false;
		}
		if (!this.session.isUsable()) {
			pause(this::list);
			return false;
		}
		return this.session.heartbeat()
			.admits(node(), (confirmed) -> reply(confirmed ? this::list : () -> pause(this::list)));
	}

	/** Turn the place into a lock, which deletes the node at its release. */
	public Grant handOver() {
		Grant grant = new Grant(node(), this.gate.atLeast(node()), this.othersBehind);
		end(true);
		return grant;
	}

	@Override
	public void sessionLost() {
		locked(this::vanish);
	}

	/** Check whether the watched node still exists, in case its event was lost. */
	public void recheck() {
		locked(this.watch::check);
	}

	void list() {
		this.session.requests()
			.send(CombinableRequest.listing(this.directory, this.session.replies().children(this::listed)));
	}

	void listed(int rc, String asked, @Nullable Object context, List<String> children) {
		reply(() -> {
			if (!this.creation.isPending()) {
				onReply(rc, this::vanish, () -> evaluate(children));
			}
		});
	}

	private void evaluate(List<String> children) {
		if (!this.session.isUsable()) {
			pause(this::list);
			return;
		}
		QueueListing queue = QueueListing.of(children, this.contender);
		if (queue.own() == null) {
			vanish();
		}
		else if (queue.own().isBeyondLimit()) {
			refuse((failures) -> failures.usedUp(this.directory));
		}
		else if (!isRefused(children)) {
			take(queue);
		}
	}

	/** Called when the only contender ahead is gone; it may be back behind this one. */
	void predecessorGone() {
		this.othersBehind = true;
		this.gate.enter(List.of(), this.outcome, this.watch);
	}

	private void take(QueueListing queue) {
		this.gate.look(queue);
		this.othersBehind = queue.areOthersBehind();
		List<QueueNode> ahead = queue.nearestAhead();
		if (queue.mismatch() != null) {
			int permits = queue.mismatch().permits();
			refuse((failures) -> failures.otherPermits(permits));
			return;
		}
		if (ahead.isEmpty()) {
			this.gate.enter(queue.stamps(), this.outcome, this.watch);
			return;
		}
		waitFor(ahead, this.tick == null && queue.isNext());
	}

	private void waitFor(List<QueueNode> nodes, boolean next) {
		if (this.outcome.queued(this)) {
			this.watch.arm(nodes.stream().map((node) -> this.directory + "/" + node.name()).toList(), next);
		}
	}

	void onReply(int rc, Runnable onNoNode, Runnable onOk) {
		switch (ReplyCode.of(rc)) {
			case OK -> onOk.run();
			case NO_NODE -> onNoNode.run();
			case SESSION_ENDED -> vanish();
			case REFUSED -> refuse(rc);
			case UNKNOWN -> pause(this::list);
		}
	}

	void refuse(int rc) {
		refuse((failures) -> failures.denied(ReplyCode.text(rc), this.directory));
	}

	void refuse(Function<AttemptFailures, LockException> failure) {
		abandon();
		this.outcome.refused(failure);
	}

	/**
	 * Run this step in a moment or, without a usable session, when there is one again.
	 */
	void pause(Runnable next) {
		Runnable resume = () -> locked(() -> {
			this.paused = null;
			next.run();
		});
		if (this.session.isUsable()) {
			try {
				this.shared.tasks().schedule(resume, PAUSE_MS, TimeUnit.MILLISECONDS);
			}
			catch (RejectedExecutionException ex) {
				abandon();
			}
		}
		else if (this.paused == null) {
			this.paused = resume;
			this.shared.tracker().whenUsable(resume);
		}
	}

	/** Leave the queue. Called when the node or its session is gone. */
	void vanish() {
		abandon();
		this.outcome.vanished();
	}

	public void locked(Runnable step) {
		this.lock.run(unlessOver(step));
	}

	void reply(Runnable step) {
		this.lock.reply(unlessOver(step));
	}

	private Runnable unlessOver(Runnable step) {
		return () -> {
			if (!this.state.get().isOver()) {
				step.run();
			}
		};
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other;
	}

	// Equal in every run of a simulation, so that sets have the same order.
	@Override
	public int hashCode() {
		return this.contender.hashCode();
	}

	private void end(boolean granted) {
		if (granted) {
			this.state.to(State.GRANTED);
		}
		else {
			this.state.toIfPossible(State.LEFT);
		}
		this.gate.end(granted);
		this.session.leave(this);
		if (this.paused != null) {
			this.shared.tracker().forget(this.paused);
		}
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
	 * A place in the queue that has become a lock.
	 *
	 * @param node the node, to be deleted by the holder of the lock
	 * @param atLeast the minimum time of the lock, if it has one
	 * @param othersBehind whether other contenders are known to wait behind it
	 */
	public record Grant(LockNode node, @Nullable AtLeastTime atLeast, boolean othersBehind) {

	}

}
