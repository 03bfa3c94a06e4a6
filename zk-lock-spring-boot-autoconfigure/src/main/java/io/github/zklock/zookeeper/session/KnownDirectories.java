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

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The directories that this process used last: a million keys take no more memory than
 * some thousands. One that is forgotten, or that is gone by now, costs a request and
 * nothing else.
 * <p>
 * The servers delete empty directories, but by default only 10,000 a minute for all
 * processes. A process that uses new keys faster than that would make them pile up, so it
 * deletes what it has created itself when it forgets it.
 */
public final class KnownDirectories {

	/**
	 * How many it remembers.
	 */
	public static final int MOST = 1 << 14;

	private final int most;

	// Whether this process has created it, by its path. The one that was used longest ago
	// comes first.
	private final Map<String, Boolean> directories = new LinkedHashMap<>(16, 0.75f, true);

	public KnownDirectories() {
		this(MOST);
	}

	KnownDirectories(int most) {
		this.most = most;
	}

	public synchronized boolean contains(String directory) {
		return this.directories.get(directory) != null;
	}

	/**
	 * A directory is used.
	 * @param created whether this process has created it just now
	 * @return the one that is forgotten instead, if this process has created it
	 */
	public synchronized @Nullable String add(String directory, boolean created) {
		this.directories.merge(directory, created, Boolean::logicalOr);
		if (this.directories.size() <= this.most) {
			return null;
		}
		Iterator<Map.Entry<String, Boolean>> all = this.directories.entrySet().iterator();
		Map.Entry<String, Boolean> eldest = all.next();
		all.remove();
		return eldest.getValue() ? eldest.getKey() : null;
	}

	public synchronized void remove(String directory) {
		this.directories.remove(directory);
	}

}
