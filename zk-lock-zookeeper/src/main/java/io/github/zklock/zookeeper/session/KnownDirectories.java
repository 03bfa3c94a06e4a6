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
 * The directories that this process used last, up to a limit, so that a million keys take
 * no more memory. A directory that was forgotten or deleted costs a request.
 * <p>
 * The servers delete empty directories, but by default only 10,000 a minute for all
 * processes. If new keys are used faster than that, directories would pile up. So each
 * process deletes those that it created and forgets, several with one request.
 */
final class KnownDirectories {

	static final int TOGETHER = 64;

	// The interval at which servers look for empty directories.
	private static final long REAPED = TimeUnit.MINUTES.toNanos(1);

	private final int most;

	private final LongSupplier clock;

	// The one that was used longest ago comes first.
	private final Map<String, Use> directories = new LinkedHashMap<>(16, 0.75f, true);

	private List<String> forgotten = new ArrayList<>();

	KnownDirectories(LongSupplier clock) {
		this(KeyDirectories.MOST, clock);
	}

	KnownDirectories(int most, LongSupplier clock) {
		this.most = most;
		this.clock = clock;
	}

	/**
	 * Return whether a directory was used so recently that it still exists.
	 */
	synchronized boolean contains(String directory) {
		Use use = this.directories.get(directory);
		return use != null && this.clock.getAsLong() - use.last() < REAPED;
	}

	/**
	 * Remember a directory. Called when it is used.
	 * @param created whether this process has created it just now
	 * @return forgotten directories to delete, often none
	 */
	synchronized List<String> add(String directory, boolean created) {
		Use before = this.directories.get(directory);
		boolean ours = created || (before != null && before.ours());
		this.directories.put(directory, new Use(this.clock.getAsLong(), ours));
		if (this.directories.size() > this.most) {
			forgetEldest();
		}
		if (this.forgotten.size() < TOGETHER) {
			return List.of();
		}
		List<String> due = this.forgotten;
		this.forgotten = new ArrayList<>();
		return due;
	}

	private void forgetEldest() {
		Iterator<Map.Entry<String, Use>> all = this.directories.entrySet().iterator();
		Map.Entry<String, Use> eldest = all.next();
		if (eldest.getValue().ours()) {
			this.forgotten.add(eldest.getKey());
		}
		all.remove();
	}

	synchronized void remove(String directory) {
		this.directories.remove(directory);
	}

	// Ours are those that this process has created.
	private record Use(long last, boolean ours) {

	}

}
