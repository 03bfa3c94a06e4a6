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

package io.github.zklock.sample.console;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

import io.github.zklock.core.LockState;
import io.github.zklock.sample.console.Snapshot.State;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockSnapshot;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockStatus;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeansException;
import org.springframework.context.ApplicationContext;

/**
 * Follows the sessions of the nodes. Only the nodes' own lock providers are asked for
 * that, which know without asking ZooKeeper.
 */
class NodeStates {

	/**
	 * The next session may follow within milliseconds, so a lost one would not be
	 * visible.
	 */
	private static final long LOST_SHOWN_MILLIS = 1000;

	/**
	 * A client that was silent finds out only later that its session has ended.
	 */
	private static final long GOOD_AGAIN_MILLIS = 3000;

	private final ConsoleCluster cluster;

	private final Map<String, Seen> seen = new HashMap<>();

	NodeStates(ConsoleCluster cluster) {
		this.cluster = cluster;
	}

	/**
	 * Look at all nodes.
	 * @return what is known of them
	 */
	synchronized List<Snapshot.Node> look() {
		return this.cluster.all()
			.stream()
			.map((node) -> this.seen.computeIfAbsent(node.name(), (name) -> new Seen()).look(node))
			.toList();
	}

	/**
	 * Remember that a node has lost locks with its session. The provider forgets: what is
	 * lost is not held any more.
	 * @param name the name of the node
	 */
	synchronized void lost(String name) {
		Seen seen = this.seen.get(name);
		if (seen != null) {
			seen.lost();
		}
	}

	/**
	 * Remember that a node has given up a role, since its lease ends.
	 * @param name the name of the node
	 */
	synchronized void gaveUpRole(String name) {
		Seen seen = this.seen.get(name);
		if (seen != null) {
			seen.givenUp++;
		}
	}

	/**
	 * Return how many locks and roles a node has lost or given up with its session or
	 * lease.
	 * @param name the name of the node
	 * @return the number since it was seen first
	 */
	synchronized int givenUp(String name) {
		Seen seen = this.seen.get(name);
		return (seen != null) ? seen.givenUp : 0;
	}

	/**
	 * Look at one node.
	 * @param name the name of the node
	 * @return what is known of it
	 */
	Snapshot.Node look(String name) {
		return look().stream().filter((node) -> node.name().equals(name)).findFirst().orElseThrow();
	}

	Snapshot.Node awaitHeld(ConsoleNode node) throws Exception {
		return awaitHeld(node, (now) -> {
		});
	}

	/**
	 * Wait until a node has a good session.
	 * @param node the node
	 * @param watch looks at all that it passes through
	 * @return what is known of it then
	 * @throws Exception if that does not happen
	 */
	Snapshot.Node awaitHeld(ConsoleNode node, Consumer<Snapshot.Node> watch) throws Exception {
		return Patience.await(node.name() + " has no session", () -> {
			if (node.context() == null) {
				throw new IllegalStateException(node.name() + " was stopped meanwhile");
			}
			Snapshot.Node now = look(node.name());
			watch.accept(now);
			return (now.state() == State.HELD) ? now : null;
		});
	}

	/**
	 * What was seen of a node.
	 */
	private static final class Seen {

		private State state = State.STARTING;

		private long since = System.currentTimeMillis();

		private @Nullable String session;

		private int sessions;

		private long lostUntil;

		private @Nullable String lostSession;

		private long goodSince;

		private int givenUp;

		private void lost() {
			this.lostSession = this.session;
			this.lostUntil = System.currentTimeMillis() + LOST_SHOWN_MILLIS;
			this.goodSince = 0;
			this.givenUp++;
		}

		private Snapshot.Node look(ConsoleNode node) {
			ApplicationContext context = node.context();
			if (context != null) {
				try {
					ZooKeeperLockProvider provider = context.getBean(ZooKeeperLockProvider.class);
					if (provider.status().connection() != ZooKeeperLockStatus.Connection.CLOSED) {
						return look(node, provider);
					}
				}
				catch (BeansException | IllegalStateException ex) {
					// It is just being stopped.
				}
			}
			this.lostSession = null;
			become(node.isStarting() ? State.STARTING : State.STOPPED);
			return answer(node, null);
		}

		private Snapshot.Node look(ConsoleNode node, ZooKeeperLockProvider provider) {
			ZooKeeperLockStatus status = provider.status();
			long now = System.currentTimeMillis();
			ZooKeeperLockStatus.Session session = status.session();
			if (session != null && !session.mark().equals(this.session) && session.state() != LockState.LOST) {
				if (this.session != null && this.state != State.STOPPED && this.state != State.STARTING) {
					this.lostUntil = ((this.state == State.LOST) ? this.since : now) + LOST_SHOWN_MILLIS;
				}
				this.session = session.mark();
				this.sessions++;
			}
			State state = state(status, session);
			become((now < this.lostUntil || staysLost(state, node, now)) ? State.LOST : state);
			return answer(node, provider.snapshot());
		}

		private boolean staysLost(State state, ConsoleNode node, long now) {
			boolean good = state == State.HELD && node.fault() == ConsoleNode.Fault.NONE;
			this.goodSince = !good ? 0 : (this.goodSince != 0) ? this.goodSince : now;
			boolean another = !Objects.equals(this.session, this.lostSession);
			if (good && (another || now - this.goodSince >= GOOD_AGAIN_MILLIS)) {
				this.lostSession = null;
			}
			return this.lostSession != null;
		}

		private State state(ZooKeeperLockStatus status, ZooKeeperLockStatus.@Nullable Session session) {
			if (session == null || session.state() == LockState.LOST) {
				return (this.sessions == 0 || this.state == State.STARTING) ? State.STARTING : State.LOST;
			}
			boolean good = status.connection() == ZooKeeperLockStatus.Connection.CONNECTED
					&& session.state() == LockState.HELD;
			return good ? State.HELD : State.UNCERTAIN;
		}

		private void become(State state) {
			if (this.state != state) {
				this.state = state;
				this.since = System.currentTimeMillis();
			}
		}

		private Snapshot.Node answer(ConsoleNode node, @Nullable ZooKeeperLockSnapshot snapshot) {
			return new Snapshot.Node(node.name(), node.url(), this.state, (snapshot != null) ? this.session : null,
					this.sessions, this.since, node.fault(), (snapshot != null) ? snapshot.held().size() : 0,
					(snapshot != null) ? snapshot.waiting().size() : 0);
		}

	}

}
