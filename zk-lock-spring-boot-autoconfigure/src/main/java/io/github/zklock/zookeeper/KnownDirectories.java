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

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The directories that this process saw last, as many as there are places: a million keys
 * take no more memory than some thousands. A directory that is forgotten, or that is gone
 * by now, costs a request and nothing else.
 */
final class KnownDirectories {

	private static final int PLACES = 1 << 13;

	private final AtomicReferenceArray<String> places = new AtomicReferenceArray<>(PLACES);

	private final NewDirectories created = new NewDirectories(this);

	/**
	 * Return those of them that this process has created.
	 */
	NewDirectories created() {
		return this.created;
	}

	boolean contains(String directory) {
		return directory.equals(this.places.get(placeOf(directory)));
	}

	void add(String directory) {
		this.places.set(placeOf(directory), directory);
	}

	void remove(String directory) {
		if (contains(directory)) {
			this.places.set(placeOf(directory), null);
		}
	}

	private static int placeOf(String directory) {
		int hash = directory.hashCode();
		return (hash ^ (hash >>> 16)) & (PLACES - 1);
	}

}
