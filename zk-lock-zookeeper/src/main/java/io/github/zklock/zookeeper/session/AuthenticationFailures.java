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

package io.github.zklock.zookeeper.session;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import org.apache.zookeeper.ZooKeeper.States;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that the servers have refused the authentication of the client. ZooKeeper's
 * handle never connects again after that, and Curator neither reports nor replaces it. So
 * it is replaced here from time to time, as the servers may accept it later. A session
 * proves nothing, since ZooKeeper grants it before SASL begins: only an answer does.
 */
public final class AuthenticationFailures {

	public static final String PROBLEM = "ZooKeeper has refused the authentication of its client; check the credentials";

	private static final Logger logger = LoggerFactory.getLogger(AuthenticationFailures.class);

	private static final long FIRST_PAUSE = TimeUnit.SECONDS.toNanos(1);

	private static final long LONGEST_PAUSE = TimeUnit.MINUTES.toNanos(1);

	private final String label;

	private final EngineTasks tasks;

	private final AtomicBoolean failed = new AtomicBoolean();

	private final AtomicBoolean retrying = new AtomicBoolean();

	private final AtomicReference<@Nullable LockSession> asked = new AtomicReference<>();

	private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();

	private volatile long lastAttempt;

	private volatile long pause = FIRST_PAUSE;

	AuthenticationFailures(String label, EngineTasks tasks) {
		this.label = label;
		this.tasks = tasks;
	}

	/**
	 * Return whether the servers have refused the last authentication.
	 */
	boolean isRefused(@Nullable LockSession session) {
		return this.failed.get() || (session != null && isRefusedIn(session));
	}

	/**
	 * Return whether the servers have refused the authentication of a session, which is
	 * logged once.
	 */
	boolean haveEnded(LockSession session) {
		boolean refused = isRefusedIn(session);
		if (refused) {
			refused();
		}
		return refused;
	}

	/**
	 * The servers have refused the authentication. It is logged once until they accept
	 * it.
	 */
	void refused() {
		if (this.failed.compareAndSet(false, true)) {
			this.lastAttempt = this.tasks.nanoTime();
			logger.error(
					"ZooKeeper has refused the authentication of its client{}, so no lock can be taken and those "
							+ "that were held are lost; check the credentials of the client. The client tries again",
					this.label);
		}
	}

	private static boolean isRefusedIn(LockSession session) {
		return session.zooKeeper().getState() == States.AUTH_FAILED;
	}

	/**
	 * Replace the handle if a failure is known and that is due. May block.
	 */
	void retry(Connection connection) {
		if (!this.failed.get() || this.tasks.nanoTime() - this.lastAttempt < this.pause
				|| !this.retrying.compareAndSet(false, true)) {
			return;
		}
		try {
			this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
			connection.reset();
		}
		catch (Exception ex) {
			logger.warn("Another connection to ZooKeeper could not be opened{}", this.label, ex);
		}
		finally {
			this.lastAttempt = this.tasks.nanoTime();
			this.retrying.set(false);
		}
	}

	/**
	 * Run an action, once, when the servers have answered a request that is sent from now
	 * on.
	 * @return what ends this
	 */
	Runnable whenAnswered(Runnable action) {
		this.waiting.add(action);
		return () -> this.waiting.remove(action);
	}

	/**
	 * Ask for an answer if one is needed. Called again and again while a session is
	 * usable.
	 */
	void ask(LockSession session) {
		if ((!this.failed.get() && this.waiting.isEmpty()) || this.asked.getAndSet(session) == session) {
			return;
		}
		Set<Runnable> waiting = Set.copyOf(this.waiting);
		session.zooKeeper().sync("/", (rc, path, context) -> {
			this.asked.compareAndSet(session, null);
			if (ReplyCode.of(rc) == ReplyCode.OK) {
				accepted(waiting);
			}
		}, null);
	}

	private void accepted(Set<Runnable> waiting) {
		this.failed.set(false);
		this.pause = FIRST_PAUSE;
		for (Runnable action : waiting) {
			if (this.waiting.remove(action)) {
				action.run();
			}
		}
	}

}
