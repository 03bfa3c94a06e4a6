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

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import io.github.zklock.core.LockState;
import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.tasks.MendedTasks;
import io.github.zklock.zookeeper.tasks.Tasks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a request as often as a heartbeat is due while no lock is held, so that the next
 * lock knows that the client has not stood still. ZooKeeper's client sends pings on a
 * thread of its own, but does not report them.
 */
final class SessionPulse {

	private static final Logger logger = LoggerFactory.getLogger(SessionPulse.class);

	private final Tasks tasks;

	private final LockSession session;

	private final SessionLease lease;

	private final BooleanSupplier current;

	private final AtomicBoolean planned = new AtomicBoolean();

	/**
	 * Create a pulse.
	 * @param tasks schedule the requests
	 * @param session the session
	 * @param current whether the session is still that of the client
	 */
	SessionPulse(Tasks tasks, LockSession session, BooleanSupplier current) {
		this.tasks = tasks;
		this.session = session;
		this.lease = session.lease();
		this.current = current;
	}

	/**
	 * Schedule the next request, which schedules another one until the session is over,
	 * unless one is scheduled.
	 */
	void goOn() {
		if (!this.lease.isPossible() || !this.planned.compareAndSet(false, true)) {
			return;
		}
		try {
			this.tasks.schedule(this::beat, this.lease.terms().interval());
		}
		catch (RejectedExecutionException ex) {
			logger.debug("No lock is asked for after the end");
		}
		catch (Throwable ex) {
			this.planned.set(false);
			MendedTasks.log("The next request of an idle session could not be planned and will be later", ex);
		}
	}

	private void beat() {
		this.planned.set(false);
		if (this.session.state() == LockState.LOST || !this.current.getAsBoolean()) {
			return;
		}
		goOn();
		if (!this.lease.isKept() && this.session.isUsable()) {
			ask();
		}
	}

	private void ask() {
		long sent = this.lease.now();
		this.session.zooKeeper().exists("/", false, (rc, path, context, stat) -> {
			if (ReplyCode.of(rc).isOfServer()) {
				this.lease.heard(sent);
			}
		}, null);
	}

}
