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
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The directories that this process used last: a million keys take no more memory than
 * some thousands. One that is forgotten, or that is gone by now, costs a request and
 * nothing else.
 * <p>
 * The servers delete empty directories, but by default only 10,000 a minute for all
 * processes. A process that uses new keys faster than that would make them pile up, so it
 * deletes what it has created itself not long before it forgets it, some with one
 * request.
 */
public final class KnownDirectories {

	/**
	 * How many it remembers.
	 */
	public static final int MOST = 1 << 14;

	static final int TOGETHER = 64;

	// The servers have deleted it by then, if it was empty.
	private static final long REAPED = TimeUnit.MINUTES.toNanos(2);

	private final int most;

	private final LongSupplier clock;

	// When it was created, by its path. The one that was used longest ago comes first.
	private final Map<String, Long> directories = new LinkedHashMap<>(16, 0.75f, true);

	private List<String> forgotten = new ArrayList<>();

	/**
	 * Create an instance.
	 * @param clock the clock, in nanoseconds
	 */
	public KnownDirectories(LongSupplier clock) {
		this(MOST, clock);
	}

	KnownDirectories(int most, LongSupplier clock) {
		this.most = most;
		this.clock = clock;
	}

	public synchronized boolean contains(String directory) {
		return this.directories.get(directory) != null;
	}

	/**
	 * A directory is used.
	 * @param created whether this process has created it just now
	 * @return what is to be deleted, now and then
	 */
	public synchronized List<String> add(String directory, boolean created) {
		long now = this.clock.getAsLong();
		if (created) {
			this.directories.put(directory, now);
		}
		else {
			this.directories.putIfAbsent(directory, now - REAPED);
		}
		if (this.directories.size() > this.most) {
			forgetEldest(now);
		}
		if (this.forgotten.size() < TOGETHER) {
			return List.of();
		}
		List<String> due = this.forgotten;
		this.forgotten = new ArrayList<>();
		return due;
	}

	private void forgetEldest(long now) {
		Iterator<Map.Entry<String, Long>> all = this.directories.entrySet().iterator();
		Map.Entry<String, Long> eldest = all.next();
		if (now - eldest.getValue() < REAPED) {
			this.forgotten.add(eldest.getKey());
		}
		all.remove();
	}

	public synchronized void remove(String directory) {
		this.directories.remove(directory);
	}

}
