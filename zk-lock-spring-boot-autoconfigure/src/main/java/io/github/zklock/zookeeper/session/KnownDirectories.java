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

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The directories that this process saw last, as many as there are places: a million keys
 * take no more memory than some thousands. A directory that is forgotten, or that is gone
 * by now, costs a request and nothing else.
 */
public final class KnownDirectories {

	private static final int PLACES = 1 << 13;

	// So many of them may hold a directory, or some hundreds would drive each other out.
	private static final int CHOICE = 4;

	private final AtomicReferenceArray<String> places = new AtomicReferenceArray<>(PLACES);

	public boolean contains(String directory) {
		return placeOf(directory) >= 0;
	}

	public void add(String directory) {
		if (!contains(directory)) {
			int first = firstPlace(directory);
			for (int place = first + CHOICE - 1; place > first; place--) {
				this.places.set(place, this.places.get(place - 1));
			}
			this.places.set(first, directory);
		}
	}

	public void remove(String directory) {
		for (int place = placeOf(directory); place >= 0; place = placeOf(directory)) {
			this.places.set(place, null);
		}
	}

	private int placeOf(String directory) {
		int first = firstPlace(directory);
		for (int place = first; place < first + CHOICE; place++) {
			if (directory.equals(this.places.get(place))) {
				return place;
			}
		}
		return -1;
	}

	private static int firstPlace(String directory) {
		int hash = directory.hashCode();
		return (hash ^ (hash >>> 16)) & (PLACES - CHOICE);
	}

}
