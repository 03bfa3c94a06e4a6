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

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all contenders of a provider share.
 */
final class LockEngine {

	private static final Logger logger = LoggerFactory.getLogger(LockEngine.class);

	private final SessionTracker tracker;

	private final LockPaths paths;

	private final NodeAcls acls;

	private final ReleaseMode release;

	private final boolean syncBeforeTry;

	private final ContenderNames names;

	private final KnownDirectories directories;

	private final NodeJanitor janitor;

	private final CachedNodes cachedNodes;

	private final StampMemory stamps;

	private final TickMemory ticks;

	private final Set<AtLeastTime> keeping = ConcurrentHashMap.newKeySet();

	private final LongAdder requeued = new LongAdder();

	private final MendedTasks tasks;

	LockEngine(SessionTracker tracker, LockPaths paths, ZooKeeperLockProviderBuilder settings, Tasks tasks) {
		this.tracker = tracker;
		this.paths = paths;
		this.acls = new NodeAcls(settings.aclProvider);
		this.release = settings.release;
		this.syncBeforeTry = settings.syncBeforeTry;
		this.tasks = new MendedTasks(tasks);
		this.names = new ContenderNames(settings.processNumber.getAsLong());
		this.directories = new KnownDirectories(
				(step) -> schedule(step, NewDirectories.MOMENT_MS, TimeUnit.MILLISECONDS), tasks::nanoTime);
		this.stamps = new StampMemory(tasks::nanoTime);
		this.ticks = new TickMemory(tasks::nanoTime);
		this.janitor = new NodeJanitor(this);
		this.cachedNodes = new CachedNodes(this);
	}

	SessionTracker tracker() {
		return this.tracker;
	}

	LockPaths paths() {
		return this.paths;
	}

	List<ACL> acl(String path) {
		return this.acls.of(path);
	}

	ReleaseMode release() {
		return this.release;
	}

	boolean syncsBeforeTry() {
		return this.syncBeforeTry;
	}

	ContenderNames names() {
		return this.names;
	}

	KnownDirectories directories() {
		return this.directories;
	}

	NodeJanitor janitor() {
		return this.janitor;
	}

	CachedNodes cachedNodes() {
		return this.cachedNodes;
	}

	StampMemory stamps() {
		return this.stamps;
	}

	TickMemory ticks() {
		return this.ticks;
	}

	/**
	 * Return how many requests had to queue again.
	 */
	LongAdder requeued() {
		return this.requeued;
	}

	/**
	 * Delete a stamp, which may be gone already. It is not forgotten before, or its time
	 * would begin again.
	 */
	void removeStamp(String directory, AtLeastStamp stamp) {
		this.names.remember(stamp.name());
		this.janitor.remove(directory, stamp.name(), directory + "/" + stamp.name())
			.thenAccept((existed) -> this.stamps.forget(stamp.name()));
	}

	/**
	 * A key is kept for a time that has begun.
	 */
	void keeping(AtLeastTime time) {
		this.keeping.add(time);
	}

	/**
	 * That time is over.
	 */
	void kept(AtLeastTime time) {
		this.keeping.remove(time);
	}

	LeaseHeartbeat heartbeat(LockSession session) {
		return session.heartbeat(() -> new LeaseHeartbeat(this, session));
	}

	/**
	 * Return what sends the requests of a session that may go out together.
	 */
	RequestCombiner requests(LockSession session) {
		return session.requests(() -> new RequestCombiner(session.zooKeeper(), mender(), this.tasks::reply));
	}

	MendedTasks tasks() {
		return this.tasks;
	}

	Mender mender() {
		return this.tasks.mender();
	}

	long nanoTime() {
		return this.tasks.nanoTime();
	}

	boolean isReplyThread() {
		return this.tasks.isReplyThread();
	}

	void reply(Runnable step) {
		this.tasks.reply(step);
	}

	void callBack(Runnable code) {
		this.tasks.callBack(code);
	}

	void handOver(Runnable step) {
		this.tasks.handOver(step);
	}

	Future<?> schedule(Runnable action, long delay, TimeUnit unit) {
		return this.tasks.schedule(action, delay, unit);
	}

	/**
	 * End as soon as no node is left that somebody has to delete, but not before.
	 * @return what ends then
	 */
	CompletableFuture<@Nullable Void> endWhenClean() {
		this.keeping.forEach(AtLeastTime::leave);
		LockSession session = this.tracker.current();
		if (session != null) {
			session.end();
		}
		CompletableFuture<@Nullable Void> clean = new CompletableFuture<>();
		this.names.whenNone(() -> {
			shutdown();
			clean.complete(null);
		});
		return clean;
	}

	void tellWhatIsLeft() {
		int left = this.names.size();
		if (left > 0) {
			logger.warn("Nodes of locks that are not deleted yet{}: {}; that goes on while the client lives",
					this.tracker.label(), left);
		}
	}

	void shutdown() {
		this.tasks.stop();
		this.tracker.stop();
	}

}
