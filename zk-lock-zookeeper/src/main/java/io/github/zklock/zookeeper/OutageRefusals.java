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

package io.github.zklock.zookeeper;

import java.time.Duration;
import java.util.Collection;

import io.github.zklock.zookeeper.local.LockAttempt;
import io.github.zklock.zookeeper.session.Connection;
import io.github.zklock.zookeeper.session.SessionTracker;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests during a long outage. Once there is no connection for a set time, the
 * waiting requests are refused, and so is each new one until the connection is back.
 */
final class OutageRefusals implements Connection.Listener {

	private final Connection connection;

	private final SessionTracker tracker;

	private final EngineTasks tasks;

	private final Collection<LockAttempt> waiting;

	private final @Nullable Duration after;

	// A reading of the clock, while there is no connection.
	private volatile @Nullable Long since;

	/**
	 * Create the refusals.
	 * @param settings contain the connection, and the time after which it refuses
	 * @param waiting the requests that wait for a lock
	 */
	OutageRefusals(ZooKeeperLockProviderBuilder settings, SessionTracker tracker, EngineTasks tasks,
			Collection<LockAttempt> waiting) {
		this.connection = settings.connection;
		this.after = settings.outageFailFast;
		this.tracker = tracker;
		this.tasks = tasks;
		this.waiting = waiting;
	}

	// The client does not repeat for a new listener that it is connected.
	synchronized void start() {
		if (this.after != null) {
			this.connection.listen(this);
			interrupted(this.after);
			if (this.connection.isConnected()) {
				this.since = null;
			}
		}
	}

	void stop() {
		this.connection.unlisten(this);
	}

	@Override
	public synchronized void changed(Connection.Change change) {
		if (change == Connection.Change.CONNECTED) {
			this.since = null;
		}
		else if (this.since == null && this.after != null) {
			interrupted(this.after);
		}
	}

	private void interrupted(Duration after) {
		this.since = this.tasks.nanoTime();
		this.tasks.later(this::refuseWaiting, after.toNanos());
	}

	private void refuseWaiting() {
		if (isRefusing()) {
			this.waiting.forEach(LockAttempt::endWithoutConnection);
		}
	}

	boolean isRefusing() {
		Long since = this.since;
		return since != null && this.after != null && this.tasks.nanoTime() - since >= this.after.toNanos()
				&& this.tracker.usable() == null;
	}

}
