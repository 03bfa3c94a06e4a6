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
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import io.github.zklock.core.LockTick;
import io.github.zklock.core.internal.DurationText;
import io.github.zklock.zookeeper.local.HeldLocks;
import io.github.zklock.zookeeper.session.Connection;
import io.github.zklock.zookeeper.tasks.Tasks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs interruptions of the connection: one line when it breaks, and one when it is back.
 * A connection that never was is reported elsewhere, so here only once a lock is wanted.
 */
final class OutageLog implements Connection.Listener {

	private static final Logger logger = LoggerFactory.getLogger(OutageLog.class);

	private static final int MOST_TICKS = 20;

	private final Connection connection;

	private final Tasks tasks;

	private final String label;

	private final HeldLocks held;

	private final Collection<?> waiting;

	private final ReentrantLock lock = new ReentrantLock();

	private volatile Phase phase = Phase.CONNECTED;

	private boolean reached;

	private long since;

	private int lostBefore;

	private final Function<Runnable, Runnable> answers;

	private Runnable unasked = () -> {
	};

	private final List<LockTick> skipped = new ArrayList<>();

	private int skippedMore;

	/**
	 * Create the log.
	 * @param settings say whose connection it is
	 * @param tasks know what time it is
	 * @param held the locks that are held
	 * @param waiting the requests that wait for a lock
	 * @param answers runs an action when the servers have answered, and returns what ends
	 * that
	 */
	OutageLog(ZooKeeperLockProviderBuilder settings, Tasks tasks, HeldLocks held, Collection<?> waiting,
			Function<Runnable, Runnable> answers) {
		this.connection = settings.connection;
		this.label = settings.label();
		this.tasks = tasks;
		this.held = held;
		this.waiting = waiting;
		this.answers = answers;
	}

	void start() {
		locked(() -> this.reached = this.connection.isConnected());
		this.connection.listen(this);
	}

	void stop() {
		this.connection.unlisten(this);
	}

	@Override
	public void changed(Connection.Change change) {
		if (!this.connection.isStopped()) {
			switch (change) {
				case CONNECTED -> locked(this::connected);
				// No lock can be acquired from a read-only server.
				case SUSPENDED, LOST, READ_ONLY -> locked(this::interrupted);
				case REFUSED -> logger.debug("The session tracker reports this");
			}
		}
	}

	/**
	 * There is a new request.
	 */
	void lockRequested() {
		if (this.phase == Phase.INTERRUPTED) {
			locked(this::logInterruption);
		}
	}

	/**
	 * A request was not answered. If it was for a tick with a time, the tick does not
	 * come again, unlike a periodic one.
	 */
	void unanswered(@Nullable LockTick tick) {
		if (tick != null && !tick.isPeriodic() && this.phase != Phase.CONNECTED) {
			locked(() -> skip(tick));
		}
	}

	private void skip(LockTick tick) {
		if (this.skipped.size() < MOST_TICKS) {
			this.skipped.add(tick);
		}
		else {
			this.skippedMore++;
		}
	}

	// The thread may wait for the output of the log under the lock.
	private void locked(Runnable step) {
		this.tasks.onPlatformThread(() -> {
			this.lock.lock();
			try {
				step.run();
				return true;
			}
			finally {
				this.lock.unlock();
			}
		});
	}

	// The servers may still refuse the authentication of a client that is connected.
	private void connected() {
		this.reached = true;
		this.unasked.run();
		if (this.phase == Phase.LOGGED) {
			this.unasked = this.answers.apply(() -> locked(this::serversAnswered));
		}
		else {
			this.phase = Phase.CONNECTED;
		}
	}

	private void serversAnswered() {
		if (this.phase == Phase.LOGGED) {
			this.phase = Phase.CONNECTED;
			int lost = this.held.lossCount() - this.lostBefore;
			logger.info("The connection to ZooKeeper at '{}'{} is back after {}: locks can be acquired again{}",
					this.connection.servers(), this.label,
					DurationText.of(Duration.ofNanos(this.tasks.nanoTime() - this.since)),
					(lost > 0) ? "; lost meanwhile: " + lost : "");
			logSkipped();
		}
	}

	private void logSkipped() {
		if (!this.skipped.isEmpty()) {
			logger.info(
					"Ticks that this node skipped during the outage: {}{}. No node ran them, unless another node "
							+ "could reach ZooKeeper",
					this.skipped, (this.skippedMore > 0) ? " and " + this.skippedMore + " more" : "");
		}
		this.skipped.clear();
		this.skippedMore = 0;
	}

	private void interrupted() {
		this.unasked.run();
		if (this.phase == Phase.CONNECTED) {
			this.since = this.tasks.nanoTime();
			this.lostBefore = this.held.lossCount();
			this.phase = Phase.INTERRUPTED;
			if (this.reached || this.held.size() > 0 || !this.waiting.isEmpty()) {
				logInterruption();
			}
		}
	}

	private void logInterruption() {
		if (this.phase == Phase.INTERRUPTED) {
			this.phase = Phase.LOGGED;
			if (this.held.size() == 0 && this.waiting.isEmpty()) {
				logger.warn("The connection to ZooKeeper at '{}'{} is interrupted. No lock is held or waited for",
						this.connection.servers(), this.label);
				return;
			}
			logger.warn(
					"The connection to ZooKeeper at '{}'{} is interrupted, with {} held and {} waited for: held locks "
							+ "are lost unless it is back in time, and waiting requests go on until their timeout",
					this.connection.servers(), this.label, locks(this.held.size()), locks(this.waiting.size()));
		}
	}

	private static String locks(int count) {
		return (count == 1) ? "1 lock" : count + " locks";
	}

	private enum Phase {

		/** The connection is there, as far as is known. */
		CONNECTED,

		/** There was none yet, and so far no lock is held or wanted. */
		INTERRUPTED,

		/** It is interrupted, and a line of the log says so. */
		LOGGED

	}

}
