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

import java.util.concurrent.CompletableFuture;

import io.github.zklock.zookeeper.local.HeldLocks;
import io.github.zklock.zookeeper.local.LocalQueues;
import io.github.zklock.zookeeper.local.LockCache;
import io.github.zklock.zookeeper.node.ContenderNames;
import io.github.zklock.zookeeper.node.LockPaths;
import io.github.zklock.zookeeper.queue.AtLeastTimes;
import io.github.zklock.zookeeper.queue.Contenders;
import io.github.zklock.zookeeper.queue.TickMemory;
import io.github.zklock.zookeeper.session.KnownDirectories;
import io.github.zklock.zookeeper.session.LockSession;
import io.github.zklock.zookeeper.session.NodeJanitor;
import io.github.zklock.zookeeper.session.SessionTracker;
import io.github.zklock.zookeeper.tasks.MendedTasks;
import io.github.zklock.zookeeper.tasks.Tasks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the parts of an engine together, and ends them. No part knows it.
 */
final class LockEngine {

	private static final Logger logger = LoggerFactory.getLogger(LockEngine.class);

	private final SessionTracker tracker;

	private final LockCache cache;

	private final Contenders contenders;

	LockEngine(ZooKeeperLockProviderBuilder settings, Tasks tasks) {
		LockPaths paths = new LockPaths(settings.connection.namespace(), settings.root, settings.aclProvider);
		MendedTasks mended = new MendedTasks(tasks);
		this.tracker = new SessionTracker(settings.client(), tasks,
				(handle, terms) -> new LockSession(handle, terms, mended, paths));
		ContenderNames names = new ContenderNames(settings.processNumber.getAsLong());
		NodeJanitor janitor = new NodeJanitor(this.tracker, names, mended);
		this.cache = new LockCache(mended);
		this.contenders = new Contenders(this.tracker, mended, paths, names, new KnownDirectories(tasks::nanoTime),
				janitor, new AtLeastTimes(mended, names, janitor), new TickMemory(tasks::nanoTime),
				settings.syncBeforeTry);
	}

	SessionTracker tracker() {
		return this.tracker;
	}

	MendedTasks tasks() {
		return this.contenders.tasks();
	}

	LockPaths paths() {
		return this.contenders.paths();
	}

	NodeJanitor janitor() {
		return this.contenders.janitor();
	}

	LockCache cache() {
		return this.cache;
	}

	Contenders contenders() {
		return this.contenders;
	}

	/**
	 * Return what will know the locks that are held.
	 * @param awaitsDelete whether a release waits until ZooKeeper has confirmed it
	 */
	HeldLocks heldLocks(boolean awaitsDelete) {
		return new HeldLocks(janitor(), this.contenders.names(), awaitsDelete);
	}

	/**
	 * Return the queues of this process.
	 * @param held will know the locks that are held
	 * @param strict whether each request stands in ZooKeeper by itself
	 */
	LocalQueues queues(HeldLocks held, boolean strict) {
		return new LocalQueues(this.contenders, this.cache, held, strict);
	}

	/**
	 * End as soon as no node is left that somebody has to delete, but not before.
	 * @return what ends then
	 */
	CompletableFuture<@Nullable Void> endWhenClean() {
		this.contenders.times().leave();
		LockSession session = this.tracker.current();
		if (session != null) {
			session.end();
		}
		CompletableFuture<@Nullable Void> clean = new CompletableFuture<>();
		this.contenders.names().whenNone(() -> {
			shutdown();
			clean.complete(null);
		});
		return clean;
	}

	void tellWhatIsLeft() {
		int left = this.contenders.names().size();
		if (left > 0) {
			logger.warn("Nodes of locks that are not deleted yet{}: {}; that goes on while the client lives",
					this.tracker.label(), left);
		}
	}

	void shutdown() {
		tasks().stop();
		this.tracker.stop();
	}

}
