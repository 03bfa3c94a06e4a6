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
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.node.NodeAcls;
import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.session.LockSession;
import io.github.zklock.zookeeper.session.LockSession.Member;
import io.github.zklock.zookeeper.tasks.StateMachine;
import org.jspecify.annotations.Nullable;

/**
 * One place in the queue of a key, in one session, and its node. It enters the queue,
 * waits until it is first, and holds the lock; {@link PlaceState} shows how far it is. If
 * the outcome of a request is unknown, it searches for its node before it acts again. Its
 * steps run under the given mutex. When its wait is over, only replies that show what is
 * left in ZooKeeper are still processed.
 *
 * @see <a href=
 * "https://zookeeper.apache.org/doc/r3.9.3/recipes.html#sc_recipes_Locks">ZooKeeper
 * recipes: Locks</a>
 */
public final class Place implements Member {

	private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

	final Services services;

	final LockSession session;

	final LockRequest request;

	final byte[] data;

	final NodeAcls acls;

	final QueueMutex mutex;

	// The beginning of the names of all its nodes; a repeated create uses it again.
	final String name;

	final String directory;

	final PlaceOwner owner;

	private final NodeCreation creation;

	private final Predecessors ahead;

	private final Gates gates;

	private final StateMachine<PlaceState> state = new StateMachine<>(PlaceState.NEW, PlaceState::leadsTo);

	private @Nullable LockNode node;

	private @Nullable Runnable paused;

	public Place(Services services, LockSession session, LockRequest request, byte[] data, NodeAcls acls,
			QueueMutex mutex, PlaceOwner owner) {
		this.services = services;
		this.session = session;
		this.request = request;
		this.data = data;
		this.acls = acls;
		this.mutex = mutex;
		this.owner = owner;
		this.directory = acls.path();
		this.creation = new NodeCreation(this);
		this.ahead = new Predecessors(this);
		this.gates = new Gates(this, services.gates());
		this.name = services.names().next(session.id(), this.directory, session.generation());
	}

	public LockSession session() {
		return this.session;
	}

	/** Return the node, which exists or has existed. */
	public LockNode node() {
		return Objects.requireNonNull(this.node, "The node was not created yet");
	}

	/** Return whether the place is in this state. May be called by any thread. */
	public boolean is(PlaceState other) {
		return this.state.is(other);
	}

	public PlaceState state() {
		return this.state.get();
	}

	public void to(PlaceState next) {
		this.state.to(next);
	}

	/** Change the state, unless another thread was faster. */
	public void toIfPossible(PlaceState next) {
		this.state.toIfPossible(next);
	}

	/** Return whether its node is in the queue, and holds no lock. */
	boolean isQueued() {
		return this.state.is(PlaceState.QUEUED);
	}

	/** Return whether the place does not wait in the queue any more. */
	boolean isWaitOver() {
		return this.state.get().isWaitOver();
	}

	/** Enter the queue, perhaps after a look at it. Called under the mutex. */
	public void enter(boolean looking) {
		this.session.addMember(this);
		boolean probes = looking || this.gates.thatMustSeeQueueFirst() != null;
		unlessOver(probes ? this.ahead::probe : this.creation::start).run();
	}

	/** Take note of the node. */
	void nodeCreated(LockNode created) {
		this.node = created;
		to(PlaceState.QUEUED);
	}

	Predecessors ahead() {
		return this.ahead;
	}

	NodeCreation creation() {
		return this.creation;
	}

	Gates gates() {
		return this.gates;
	}

	void list() {
		this.ahead.list();
	}

	/** Return whether a request still waits for this place, though others are ahead. */
	boolean waitBehindOthers() {
		return this.owner.placeIsBehindOthers(this);
	}

	/**
	 * Pass the gates and hold the lock, now or as soon as possible. Called when no
	 * contender is ahead, and again after each step that a gate or the session has taken
	 * since. An earlier gate may have closed meanwhile, so all of them are asked again.
	 */
	void passGates() {
		if (this.gates.ensurePassed()) {
			this.owner.placeIsFirst(this);
		}
	}

	/**
	 * Confirm the session with a write unless that is known to live. Then the lock is
	 * granted after the reply: no other contender can come first meanwhile.
	 * @return whether the lock can be granted now
	 */
	public boolean ensureConfirmed() {
		if (!isQueued()) {
			return false;
		}
		if (!this.session.isUsable()) {
			resumeLater(this::list);
			return false;
		}
		return this.session.heartbeat()
			.ensureConfirmed(node(),
					(confirmed) -> runReply(confirmed ? this::passGates : () -> resumeLater(this::list)));
	}

	/** Hold the lock. From now on another object deletes the node, at its release. */
	public void hold() {
		to(PlaceState.HELD);
		stopWaiting(true);
	}

	/** Return what the lock that is held owes to the gates it has passed. */
	public List<Gate.Obligation> obligations() {
		return this.gates.obligations();
	}

	/** Return whether other contenders are known to wait behind the place. */
	public boolean areOthersBehind() {
		return this.ahead.areOthersBehind();
	}

	/** Return how many nanoseconds the request waits on after its time is over. */
	public long grace() {
		return isWaitOver() ? 0 : this.gates.grace();
	}

	/** Return the minimum time of the lock that keeps the key, if that is in the way. */
	public @Nullable Duration keptFor() {
		return this.gates.keptFor();
	}

	/** Return the path of the node that is known to be in the way. */
	public @Nullable String obstacle() {
		String holder = this.ahead.holder();
		return (holder != null) ? holder : this.gates.obstacle();
	}

	/** List the queue again. */
	public void listAgain() {
		locked(this::list);
	}

	/** Check whether the node ahead still exists, in case its event was lost. */
	public void checkWatchedNode() {
		locked(this.ahead::checkWatchedNodes);
	}

	/** Leave the queue and delete the node, now or as soon as it is known. */
	public void leave() {
		if (!isWaitOver()) {
			stopWaiting(false);
			discard();
		}
	}

	private void discard() {
		this.creation.discard(state());
		to(PlaceState.LEFT);
	}

	private void stopWaiting(boolean granted) {
		this.gates.placeEnded(granted);
		this.session.removeMember(this);
		if (this.paused != null) {
			this.services.tracker().forget(this.paused);
		}
		this.ahead.unwatchAll();
	}

	@Override
	public void lost() {
		locked(this::vanish);
	}

	/** Leave the queue. Called when the node or its session is gone. */
	void vanish() {
		leave();
		this.owner.placeVanished();
	}

	void refuse(int rc) {
		refuse((failures) -> failures.denied(ReplyCode.text(rc), this.directory));
	}

	void refuse(Function<AttemptFailures, LockException> failure) {
		leave();
		this.owner.placeRefused(failure);
	}

	/**
	 * Refuse the request soon if a listing of the directory would cut the connection.
	 * @return whether the directory can be listed
	 */
	boolean checkListable() {
		return checkReadable(this.directory);
	}

	/** Do the same for another node, which may have long data. */
	boolean checkReadable(String path) {
		if (this.session.requests().cuts().pause(path) == 0) {
			return true;
		}
		schedule(() -> refuse((failures) -> failures.unreadable(path)), 0);
		return false;
	}

	String path(String child) {
		return this.directory + "/" + child;
	}

	void locked(Runnable step) {
		this.mutex.run(unlessOver(step));
	}

	void runReply(Runnable step) {
		this.mutex.runReply(unlessOver(step));
	}

	private Runnable unlessOver(Runnable step) {
		return () -> {
			if (!isWaitOver()) {
				step.run();
			}
		};
	}

	void onReply(int rc, Runnable onOk, Runnable onNoNode) {
		onReply(rc, onOk, onNoNode, () -> resumeLater(this::list));
	}

	void onReply(int rc, Runnable onOk, Runnable onNoNode, Runnable onUnknown) {
		switch (ReplyCode.of(rc)) {
			case OK -> onOk.run();
			case NO_NODE -> onNoNode.run();
			case SESSION_ENDED -> vanish();
			case REFUSED -> refuse(rc);
			case UNKNOWN -> onUnknown.run();
		}
	}

	/**
	 * Run a step in a moment or, without a usable session, when there is one again.
	 */
	void resumeLater(Runnable next) {
		Runnable resume = () -> {
			this.paused = null;
			next.run();
		};
		if (this.session.isUsable()) {
			schedule(resume, PAUSE);
		}
		else if (this.paused == null) {
			this.paused = () -> locked(resume);
			this.services.tracker().whenUsable(this.paused);
		}
	}

	/** Run a step later, or leave the queue if the engine has ended. */
	@Nullable Future<?> schedule(Runnable step, long nanos) {
		return this.services.tasks().later(() -> locked(step), nanos, this::leave);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other;
	}

	// Equal in every run of a simulation, so that sets have the same order.
	@Override
	public int hashCode() {
		return this.name.hashCode();
	}

}
