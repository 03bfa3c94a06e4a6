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

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.github.zklock.zookeeper.tasks.AdaptiveGuess;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the directories that this process has created, once they are empty. The
 * servers delete empty ones, but only so many a minute: a process that uses new keys
 * faster than that deletes its own, or they would pile up without end.
 */
public final class NewDirectories {

	/**
	 * How many this process leaves to the servers, all at once or in the course of a
	 * minute. By default the servers delete 10,000 a minute, for all processes.
	 */
	public static final int LEFT_PER_MINUTE = 5000;

	/**
	 * How many it deletes with one request.
	 */
	static final int TOGETHER = 64;

	/**
	 * For how many milliseconds it waits for so many.
	 */
	public static final int MOMENT_MS = 20;

	private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

	private final KnownDirectories known;

	// The servers have caught up by then.
	private final AtomicLong caughtUp;

	private final Consumer<Runnable> soon;

	private final LongSupplier clock;

	private final Set<String> unused = ConcurrentHashMap.newKeySet();

	// Asked for, but not answered yet.
	private final Set<String> beingDeleted = ConcurrentHashMap.newKeySet();

	private final AtomicInteger count = new AtomicInteger();

	private final AdaptiveGuess guess = new AdaptiveGuess();

	/**
	 * Create an instance.
	 * @param soon runs something in a moment, unless everything is over
	 * @param clock the clock, in nanoseconds
	 */
	public NewDirectories(KnownDirectories known, Consumer<Runnable> soon, LongSupplier clock) {
		this.known = known;
		this.soon = soon;
		this.clock = clock;
		this.caughtUp = new AtomicLong(clock.getAsLong());
	}

	/**
	 * Return whether the next directory that this process does not know is likely to be
	 * new.
	 */
	public boolean isLikely() {
		return this.guess.isLikely();
	}

	/**
	 * A directory that this process did not know was asked for.
	 * @param expected whether it was expected to be new
	 * @param isNew whether it is
	 */
	public void asked(boolean expected, boolean isNew) {
		if (expected && !isNew) {
			this.guess.disappoint();
		}
		else {
			this.guess.add(isNew);
		}
	}

	/**
	 * A node is gone. If its directory was created for it, delete that too unless it is
	 * left to the servers, together with others. Nobody waits for it, and it fails if
	 * somebody else is there.
	 */
	void departed(LockNode node) {
		if (!node.inNewDirectory() || isLeftToServers(this.clock.getAsLong())) {
			return;
		}
		ZooKeeper zooKeeper = node.session().zooKeeper();
		this.known.remove(node.directory());
		this.unused.add(node.directory());
		int waiting = this.count.incrementAndGet();
		if (waiting == 1) {
			deleteSoon(zooKeeper);
		}
		else if (waiting == TOGETHER) {
			deleteUnused(zooKeeper);
		}
	}

	/**
	 * A directory is used again: whoever does so answers for it, since it may be what
	 * keeps the directory from being deleted.
	 * @return whether it was about to be deleted
	 */
	public boolean takeBack(String directory) {
		return this.unused.remove(directory) || this.beingDeleted.remove(directory);
	}

	private void deleteSoon(ZooKeeper zooKeeper) {
		try {
			this.soon.accept(() -> deleteUnused(zooKeeper));
		}
		catch (RejectedExecutionException ex) {
			deleteUnused(zooKeeper);
		}
	}

	private void deleteUnused(ZooKeeper zooKeeper) {
		List<String> directories = takeUnused();
		if (directories.size() > 1) {
			deleteTogether(zooKeeper, directories);
		}
		else {
			directories.forEach((directory) -> delete(zooKeeper, directory));
		}
	}

	private synchronized List<String> takeUnused() {
		this.count.set(0);
		List<String> directories = new ArrayList<>(TOGETHER);
		for (String directory : this.unused) {
			this.beingDeleted.add(directory);
			if (this.unused.remove(directory)) {
				directories.add(directory);
			}
			else {
				this.beingDeleted.remove(directory);
			}
		}
		return directories;
	}

	// It fails if one of them cannot be deleted.
	private void deleteTogether(ZooKeeper zooKeeper, List<String> directories) {
		zooKeeper.multi(directories.stream().map((directory) -> Op.delete(directory, -1)).toList(),
				(int rc, String path, Object context, @Nullable List<OpResult> results) -> {
					if (rc == Code.OK.intValue()) {
						directories.forEach(this.beingDeleted::remove);
					}
					else {
						directories.forEach((directory) -> delete(zooKeeper, directory));
					}
				}, null);
	}

	private void delete(ZooKeeper zooKeeper, String directory) {
		zooKeeper.delete(directory, -1, (rc, asked, context) -> this.beingDeleted.remove(directory), null);
	}

	boolean isLeftToServers(long now) {
		while (true) {
			long before = this.caughtUp.get();
			long start = (before - now > 0) ? before : now;
			if (start - now >= MINUTE) {
				return false;
			}
			if (this.caughtUp.compareAndSet(before, start + MINUTE / LEFT_PER_MINUTE)) {
				return true;
			}
		}
	}

}
