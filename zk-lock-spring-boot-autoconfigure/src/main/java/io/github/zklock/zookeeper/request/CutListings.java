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

package io.github.zklock.zookeeper.request;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directories whose listing has cut the connection. A client closes its connection
 * when an answer is longer than its {@code jute.maxbuffer}, and all its locks become
 * uncertain. The servers answer in the order of the requests, so the first request that
 * is lost behind an answered one may be the cause. If it is a listing, it is sent alone
 * from then on, behind another request. If that is answered and the listing is lost
 * again, the directory is not listed for a while.
 */
public final class CutListings {

	private static final Logger logger = LoggerFactory.getLogger(CutListings.class);

	private static final long PAUSE = TimeUnit.MINUTES.toNanos(1);

	private static final int MOST_DOUBLINGS = 4;

	private static final int MOST_DIRECTORIES = 10_000;

	private final LongSupplier clock;

	// The one that was cut longest ago comes first.
	private final Map<String, Cuts> directories = new LinkedHashMap<>() {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Cuts> eldest) {
			return size() > MOST_DIRECTORIES;
		}

	};

	// So that nothing is locked as long as there is none.
	private volatile boolean any;

	private volatile boolean answered = true;

	/**
	 * Create the memory of a session.
	 * @param clock the clock of the engine
	 */
	public CutListings(LongSupplier clock) {
		this.clock = clock;
	}

	/**
	 * Take the code of a reply. Called in the order of the replies.
	 * @return whether it was the first one to be lost behind an answered one
	 */
	boolean replied(int rc) {
		boolean lost = rc == Code.CONNECTIONLOSS.intValue();
		boolean before = this.answered;
		if (before == lost) {
			this.answered = !lost;
		}
		return lost && before;
	}

	/**
	 * Take the code of the reply to a listing.
	 */
	void listed(String directory, int rc) {
		if (replied(rc)) {
			cut(directory);
		}
		else if (rc == Code.OK.intValue() && this.any) {
			forget(directory);
		}
	}

	/**
	 * Called when the listing of a directory, alone or with others, was the first request
	 * to be lost.
	 */
	synchronized void cut(String directory) {
		Cuts before = this.directories.remove(directory);
		int count = (before != null) ? before.count() + 1 : 1;
		long now = this.clock.getAsLong();
		long pause = (count > 1) ? PAUSE << Math.min(count - 2, MOST_DOUBLINGS) : 0;
		this.directories.put(directory, new Cuts(count, now + pause));
		this.any = true;
		if (pause > 0) {
			logger.warn("The connection to ZooKeeper was lost {} times right after the nodes in {} were listed, so "
					+ "their names are probably longer than this client reads: locks of that key are refused for "
					+ "{} min. Delete the nodes that do not belong there, with a client whose jute.maxbuffer is "
					+ "large enough", count, directory, TimeUnit.NANOSECONDS.toMinutes(pause));
		}
	}

	private synchronized void forget(String directory) {
		this.directories.remove(directory);
		this.any = !this.directories.isEmpty();
	}

	/**
	 * Return for how many nanoseconds a directory is not to be listed, or 0.
	 */
	public long pause(String directory) {
		Cuts cuts = this.any ? cuts(directory) : null;
		return (cuts != null) ? Math.max(cuts.until() - this.clock.getAsLong(), 0) : 0;
	}

	/**
	 * Return whether a directory is to be listed alone.
	 */
	boolean isSuspect(String directory) {
		return this.any && cuts(directory) != null;
	}

	private synchronized @Nullable Cuts cuts(String directory) {
		return this.directories.get(directory);
	}

	/**
	 * The cuts of a directory that was not listed since.
	 *
	 * @param count how many there were
	 * @param until when it may be listed again
	 */
	private record Cuts(int count, long until) {

	}

}
