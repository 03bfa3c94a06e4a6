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

package io.github.zklock.zookeeper.local;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.core.LockLoss;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.internal.DurationText;
import io.github.zklock.core.internal.LockKeys;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the losses of locks, one after the other on a single notice thread. So an appender
 * that blocks does not delay the notice of the next loss.
 */
final class LossLog {

	private static final Logger logger = LoggerFactory.getLogger(HeldLocks.class);

	// Locks that were never released can be very many.
	private static final int MOST_AT_SHUTDOWN = 10;

	private final AtomicInteger shutDown = new AtomicInteger();

	private final Queue<Runnable> lines = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean writing = new AtomicBoolean();

	private final EngineTasks tasks;

	LossLog(EngineTasks tasks) {
		this.tasks = tasks;
	}

	/** Log a lost lock with its consequence for the application. */
	void addLoss(ZooKeeperLockHandle handle, LockLoss loss) {
		if (loss == LockLoss.SHUT_DOWN && this.shutDown.incrementAndGet() > MOST_AT_SHUTDOWN) {
			return;
		}
		String held = DurationText.of(handle.heldFor());
		add(() -> log(handle, held, loss));
	}

	/** Log the number of locks that were lost at the shutdown without a line. */
	void shutDown() {
		int more = this.shutDown.get() - MOST_AT_SHUTDOWN;
		if (more > 0) {
			add(() -> logger.error(
					"{} more locks were not released in time either, and are lost: {} in all. The first "
							+ "{} are named above. Look for code that acquires locks and never releases them",
					more, more + MOST_AT_SHUTDOWN, MOST_AT_SHUTDOWN));
		}
	}

	/** Return a future that ends when what was lost so far is logged. */
	CompletableFuture<@Nullable Void> written() {
		CompletableFuture<@Nullable Void> written = new CompletableFuture<>();
		add(() -> written.complete(null));
		return written;
	}

	private void add(Runnable line) {
		this.lines.add(line);
		write();
	}

	private void write() {
		if (!this.lines.isEmpty() && this.writing.compareAndSet(false, true)) {
			this.tasks.notice(this::writeAll);
		}
	}

	private void writeAll() {
		for (Runnable line = this.lines.poll(); line != null; line = this.lines.poll()) {
			line.run();
		}
		this.writing.set(false);
		write();
	}

	private void log(ZooKeeperLockHandle handle, String held, LockLoss loss) {
		LockRequest request = handle.request();
		try {
			logger.error("{} named '{}' with token {}, held for {}, is lost: {}, so another client may hold it. {}",
					LockKeys.describe(request.key(), request.mode()), LockKeys.printable(request.name()),
					handle.fencingToken(), held, loss, handle.consequence());
		}
		catch (Throwable ex) {
			// The other losses are logged all the same.
			EngineTasks.log("The loss of a lock could not be logged", ex);
		}
	}

}
