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

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.github.zklock.zookeeper.node.QueueListing;
import io.github.zklock.zookeeper.node.QueueNode;
import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.request.CombinableRequest;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.session.LockSession;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a place is first. It lists the queue and watches the node ahead of the
 * place, or as many as the key has permits. When one of them goes, it lists the queue
 * again.
 */
final class Predecessors implements Watcher {

	private static final int LONGEST_PERIOD = 32;

	private static final int LONG_WAIT = 2;

	private static final long HIDDEN_PERIOD = TimeUnit.MILLISECONDS.toNanos(500);

	private final Place place;

	private final LockSession session;

	private Set<String> paths = Collections.emptySet();

	private Set<String> hidden = Collections.emptySet();

	private @Nullable QueueNode holder;

	private boolean oneAhead;

	private int round;

	private boolean othersBehind;

	Predecessors(Place place) {
		this.place = place;
		this.session = place.session;
	}

	/** Return whether other contenders are known to wait behind the place. */
	boolean areOthersBehind() {
		return this.othersBehind;
	}

	// For requests that do not wait or have a planned run: a taken key costs one read and
	// no write. The server may lag behind, so a key that was just released may look
	// taken. Only the queue decides whether a key is free.
	void probe() {
		this.place.to(PlaceState.LOOKING);
		if (!this.place.checkListable()) {
			return;
		}
		Gate gate = this.place.gates().thatMustSeeQueueFirst();
		if (gate != null) {
			gate.readQueue(this::probed);
		}
		else {
			this.session.requests()
				.send(CombinableRequest.listing(this.place.directory, this.session.replies()
					.children((rc, asked, context, children) -> this.place.runReply(() -> probed(children)))));
		}
	}

	// Without a list of children the queue could not be read.
	private void probed(@Nullable List<String> children) {
		QueueListing queue = (children != null) ? QueueListing.before(this.place.request, children) : null;
		if (queue == null || queue.mismatch() != null || !isTaken(queue) || this.place.waitBehindOthers()) {
			this.place.creation().start();
		}
	}

	private boolean isTaken(QueueListing queue) {
		noteQueue(queue);
		return this.holder != null || this.place.gates().isClosed();
	}

	private void noteQueue(QueueListing queue) {
		this.holder = queue.nearestAhead().isEmpty() ? null : queue.firstOther();
		this.place.gates().noteQueue(queue);
	}

	/** Return the path of the holder if one is known to be in the way. */
	@Nullable String holder() {
		return (this.holder != null) ? this.place.path(this.holder.name()) : null;
	}

	void list() {
		if (this.place.checkListable()) {
			this.session.requests()
				.send(CombinableRequest.listing(this.place.directory, this.session.replies().children(this::listed)));
		}
	}

	void listed(int rc, String asked, @Nullable Object context, List<String> children) {
		this.place.runReply(() -> {
			if (this.place.isQueued()) {
				this.place.onReply(rc, () -> evaluate(children), this.place::vanish);
			}
		});
	}

	// Its place and its fencing token are made from numbers that may be used up.
	private void evaluate(List<String> children) {
		if (!this.session.isUsable()) {
			this.place.resumeLater(this::list);
			return;
		}
		LockNode node = this.place.node();
		QueueListing queue = QueueListing.of(children, node.name(), this.place.services.names()::isKnown);
		if (QueueNode.isBeyondLimit(queue.own(), node.name())) {
			this.place.refuse((failures) -> failures.usedUp(this.place.directory));
		}
		else if (!node.hasTokens()) {
			this.place.refuse(AttemptFailures::noToken);
		}
		else if (queue.own() == null) {
			this.place.vanish();
		}
		else {
			passOrWait(queue);
		}
	}

	private void passOrWait(QueueListing queue) {
		noteQueue(queue);
		this.othersBehind = queue.areOthersBehind();
		List<QueueNode> ahead = queue.nearestAhead();
		if (queue.mismatch() != null) {
			int permits = queue.mismatch().permits();
			this.place.refuse((failures) -> failures.otherPermits(permits));
		}
		else if (ahead.isEmpty()) {
			this.place.passGates();
		}
		else if (this.place.waitBehindOthers()) {
			watch(ahead.stream().map((node) -> this.place.path(node.name())).toList(), queue.isOneAhead());
		}
	}

	/**
	 * Watch these nodes, and no others. Uses getData because exists would leave a watch
	 * behind on a node that is gone already.
	 * @param nodes the paths
	 * @param oneAhead whether the contender is first as soon as the one node is gone
	 */
	void watch(List<String> nodes, boolean oneAhead) {
		this.oneAhead = oneAhead;
		this.paths = modifiable(this.paths);
		this.paths.removeIf((path) -> !nodes.contains(path) && forget(path));
		for (String node : nodes) {
			if (this.paths.add(node)) {
				this.round = 0;
				this.session.watches().count(node);
				watch(node);
			}
		}
	}

	// Most places never watch a node.
	private static Set<String> modifiable(Set<String> some) {
		return (some instanceof HashSet) ? some : new HashSet<>(2);
	}

	private void watch(String node) {
		this.session.zooKeeper()
			.getData(node, this,
					this.session.replies()
						.data((int rc, String read, Object context, byte @Nullable [] data,
								@Nullable Stat stat) -> this.place.runReply(() -> onNodeReply(rc, node, () -> {
								}))),
					null);
	}

	/**
	 * Check whether the nodes still exist. The checks become rarer, because many
	 * contenders wait for long and an event is hardly ever lost.
	 */
	void checkWatchedNodes() {
		this.round++;
		boolean due = this.round >= LONG_WAIT
				&& (Integer.bitCount(this.round) == 1 || this.round % LONGEST_PERIOD == 0);
		if (due && this.session.isUsable()) {
			this.paths.forEach((path) -> checkNode(path, () -> {
			}));
		}
	}

	private void checkNode(String path, Runnable onOk) {
		this.session.zooKeeper()
			.exists(path, false,
					this.session.replies()
						.stat((int rc, String asked, Object context, @Nullable Stat stat) -> this.place
							.runReply(() -> onNodeReply(rc, path, onOk))),
					null);
	}

	// The ACL of a foreign node may keep this client from reading it. Since 3.9.2 no
	// server reports the end of such a node, even to a watch of exists. But the answer is
	// NOAUTH only while the node is there, so this is requested now and then.
	private void checkHiddenNode(String path) {
		this.hidden = modifiable(this.hidden);
		if (this.hidden.add(path)) {
			this.place.schedule(() -> {
				this.hidden.remove(path);
				if (this.paths.contains(path)) {
					checkNode(path, () -> checkHiddenNode(path));
				}
			}, HIDDEN_PERIOD);
		}
	}

	void unwatchAll() {
		this.paths.removeIf(this::forget);
	}

	private boolean forget(String path) {
		this.session.watches().remove(path, this);
		return true;
	}

	@Override
	public void process(WatchedEvent event) {
		switch (event.getType()) {
			case NodeDeleted -> this.place.runReply(() -> nodeGone(event.getPath()));
			case NodeDataChanged -> this.place.runReply(() -> listAfterChange(event.getPath()));
			case DataWatchRemoved -> this.place.runReply(() -> watchRemoved(event.getPath()));
			default -> {
			}
		}
	}

	// Another contender of this client may have removed all watches of the node.
	private void watchRemoved(String path) {
		if (this.paths.contains(path)) {
			watch(path);
		}
	}

	private void onNodeReply(int rc, String path, Runnable onOk) {
		if (rc == Code.NOAUTH.intValue()) {
			checkHiddenNode(path);
			return;
		}
		ReplyCode reply = ReplyCode.of(rc);
		if (reply != ReplyCode.OK && reply != ReplyCode.NO_NODE) {
			// The request may have set the watch although its reply was lost.
			this.paths.removeIf((watched) -> watched.equals(path) && forget(path));
		}
		this.place.onReply(rc, onOk, () -> nodeGone(path));
	}

	// The node existed when the queue was listed, and its name is unique. So an event or
	// an answer shows that the session was alive when the node was gone. The contender's
	// own node may have been deleted manually. A read is needed to find that out, so it
	// is checked only after a long wait.
	private void nodeGone(String path) {
		if (this.oneAhead && this.round < LONG_WAIT && forgetFiredWatch(path)) {
			// Another contender may be back behind this one.
			this.othersBehind = true;
			this.place.passGates();
		}
		else {
			listAfterChange(path);
		}
	}

	// The node is gone or has changed, so its watch is used up. Return whether it had
	// one.
	private boolean forgetFiredWatch(String path) {
		boolean watched = this.paths.remove(path);
		if (watched) {
			this.session.watches().uncount(path);
		}
		return watched;
	}

	// After a long wait the grant needs a heartbeat. It is answered before the listing.
	private void listAfterChange(String path) {
		forgetFiredWatch(path);
		if (this.session.isUsable()) {
			this.session.heartbeat().ensureConfirmed(this.place.node(), (confirmed) -> {
			});
		}
		list();
	}

}
