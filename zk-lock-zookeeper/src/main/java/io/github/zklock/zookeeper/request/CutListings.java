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
 * from then on, right behind another request, its guard. If that is answered and the
 * listing is lost again, the directory is not listed for a while. Without a guard, the
 * connection may as well have been lost in the time that the listing was under way.
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

	// The directory whose guard was answered and whose listing was not yet.
	private volatile @Nullable String guarded;

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
	 * Take note that the guard of a listing is answered.
	 */
	void guarded(String directory) {
		this.guarded = directory;
	}

	/**
	 * Take the code of the reply to a listing.
	 */
	void listed(String directory, int rc) {
		boolean guarded = directory.equals(this.guarded);
		this.guarded = null;
		if (replied(rc)) {
			cut(directory, guarded);
		}
		else if (this.any && isAnswer(rc)) {
			forget(directory);
		}
	}

	private static boolean isAnswer(int rc) {
		return rc == Code.OK.intValue() || rc == Code.NONODE.intValue() || rc == Code.NOAUTH.intValue();
	}

	/**
	 * Called when the listing of a directory, alone or with others, was the first request
	 * to be lost.
	 * @param guarded whether its guard was answered
	 */
	void cut(String directory, boolean guarded) {
		Cuts cuts = counted(directory, guarded);
		if (guarded && cuts.count() > 1) {
			logger.warn("The connection to ZooKeeper was lost {} times right after the nodes in {} were listed, so "
					+ "their names are probably longer than this client reads: locks of that key are refused for "
					+ "{} min. Delete the nodes that do not belong there, with a client whose jute.maxbuffer is "
					+ "large enough", cuts.count(), directory, TimeUnit.NANOSECONDS.toMinutes(pause(cuts.count())));
		}
	}

	private synchronized Cuts counted(String directory, boolean guarded) {
		Cuts before = this.directories.remove(directory);
		Cuts cuts;
		if (before != null && !guarded) {
			cuts = before;
		}
		else {
			int count = (before != null) ? before.count() + 1 : 1;
			cuts = new Cuts(count, this.clock.getAsLong() + pause(count));
		}
		this.directories.put(directory, cuts);
		this.any = true;
		return cuts;
	}

	private static long pause(int count) {
		return (count > 1) ? PAUSE << Math.min(count - 2, MOST_DOUBLINGS) : 0;
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
	 * @param count how many there were, from the second on behind an answered guard
	 * @param until when it may be listed again
	 */
	private record Cuts(int count, long until) {

	}

}
