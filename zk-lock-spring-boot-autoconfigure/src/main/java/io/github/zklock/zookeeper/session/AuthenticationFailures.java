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

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.zklock.zookeeper.tasks.RetryingTasks;
import org.apache.zookeeper.ZooKeeper.States;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that the servers have refused the authentication of the client. ZooKeeper's
 * handle never connects again after that, and Curator neither reports nor replaces it. So
 * it is replaced here from time to time, as the servers may accept it later.
 */
public final class AuthenticationFailures {

	public static final String PROBLEM = "ZooKeeper has refused the authentication of its client; check the credentials";

	private static final Logger logger = LoggerFactory.getLogger(AuthenticationFailures.class);

	private static final long FIRST_PAUSE = TimeUnit.SECONDS.toNanos(1);

	private static final long LONGEST_PAUSE = TimeUnit.MINUTES.toNanos(1);

	private final String label;

	private final RetryingTasks tasks;

	private final AtomicBoolean failed = new AtomicBoolean();

	private final AtomicBoolean retrying = new AtomicBoolean();

	private volatile long lastAttempt;

	private volatile long pause = FIRST_PAUSE;

	AuthenticationFailures(String label, RetryingTasks tasks) {
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
		if (refused && this.failed.compareAndSet(false, true)) {
			this.lastAttempt = this.tasks.nanoTime();
			logger.error(
					"ZooKeeper has refused the authentication of its client{}, so no lock can be taken and those "
							+ "that were held are lost; check the credentials of the client. The client tries again",
					this.label);
		}
		return refused;
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
	 * Forget the failure. Called when the client has a session.
	 */
	void end() {
		this.failed.set(false);
		this.pause = FIRST_PAUSE;
	}

}
