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
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntConsumer;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.node.NodeAcls;
import io.github.zklock.zookeeper.node.QueueNode;
import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.queue.QueueContender.Outcome;
import io.github.zklock.zookeeper.request.CombinableRequest;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.session.LockSession;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of one contender share: what it asks for and where, and how its steps
 * run. None of them runs after it has left the queue.
 */
final class ContenderSteps {

	private static final long PAUSE_MS = 50;

	final Services shared;

	final LockSession session;

	final LockRequest request;

	final byte[] data;

	final NodeAcls acls;

	final QueueMutex lock;

	final Outcome outcome;

	// The beginning of the names of all its nodes.
	final String name;

	final String directory;

	private @Nullable QueueContender contender;

	private @Nullable Runnable paused;

	ContenderSteps(Services shared, LockSession session, LockRequest request, byte[] data, NodeAcls acls,
			QueueMutex lock, Outcome outcome) {
		this.shared = shared;
		this.session = session;
		this.request = request;
		this.data = data;
		this.acls = acls;
		this.lock = lock;
		this.outcome = outcome;
		this.name = shared.names().next();
		this.directory = shared.paths().directory(request.key());
	}

	void begin(QueueContender entering) {
		this.contender = entering;
		this.session.addMember(entering);
	}

	void end(QueueContender left) {
		this.session.removeMember(left);
		if (this.paused != null) {
			this.shared.tracker().forget(this.paused);
		}
	}

	QueueContender contender() {
		return Objects.requireNonNull(this.contender, "It has not entered");
	}

	String path(String node) {
		return this.directory + "/" + node;
	}

	void locked(Runnable step) {
		this.lock.run(unlessOver(step));
	}

	void reply(Runnable step) {
		this.lock.reply(unlessOver(step));
	}

	Runnable unlessOver(Runnable step) {
		return () -> {
			if (!contender().isOver()) {
				step.run();
			}
		};
	}

	/**
	 * Refuse the contender soon if a listing of the directory would cut the connection.
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

	void list() {
		if (!checkListable()) {
			return;
		}
		this.session.requests()
			.send(CombinableRequest.listing(this.directory, this.session.replies().children(contender()::listed)));
	}

	/**
	 * Create a node of a fixed name.
	 * @param replied takes the code, on any thread and even after the end
	 */
	void create(String path, byte[] data, List<ACL> acl, CreateMode mode, IntConsumer replied) {
		this.session.zooKeeper()
			.create(path, data, acl, mode,
					this.session.replies()
						.created((int rc, String asked, Object context, @Nullable String created,
								@Nullable Stat stat) -> replied.accept(rc)),
					null);
	}

	void onReply(int rc, Runnable onOk, Runnable onNoNode) {
		onReply(rc, onOk, onNoNode, () -> pause(this::list));
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
	 * Refuse the contender if the numbers are used up from which its place and its
	 * fencing token are made.
	 * @return whether it is refused
	 */
	boolean refuseIfUsedUp(LockNode node) {
		if (QueueNode.isBeyondLimit(node.name())) {
			refuse((failures) -> failures.usedUp(this.directory));
			return true;
		}
		if (!node.hasTokens()) {
			refuse(AttemptFailures::noToken);
			return true;
		}
		return false;
	}

	void refuse(int rc) {
		refuse((failures) -> failures.denied(ReplyCode.text(rc), this.directory));
	}

	void refuse(Function<AttemptFailures, LockException> failure) {
		contender().abandon();
		this.outcome.refused(failure);
	}

	/** Leave the queue. Called when the node or its session is gone. */
	void vanish() {
		contender().abandon();
		this.outcome.vanished();
	}

	/**
	 * Run a step in a moment or, without a usable session, when there is one again.
	 */
	void pause(Runnable next) {
		Runnable resume = () -> {
			this.paused = null;
			next.run();
		};
		if (this.session.isUsable()) {
			schedule(resume, TimeUnit.MILLISECONDS.toNanos(PAUSE_MS));
		}
		else if (this.paused == null) {
			this.paused = () -> locked(resume);
			this.shared.tracker().whenUsable(this.paused);
		}
	}

	/**
	 * Run a step later, or leave the queue if the engine has ended.
	 */
	@Nullable Future<?> schedule(Runnable step, long nanos) {
		try {
			return this.shared.tasks().schedule(() -> locked(step), nanos, TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			contender().abandon();
			return null;
		}
	}

}
