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

import io.github.zklock.core.LockHolder;
import org.jspecify.annotations.Nullable;

/**
 * The holders that were looked up last, as many as there are places, so that many who try
 * in vain ask once. The name of a node is never used again, so what is known of it stays
 * true.
 */
final class KnownHolders {

	private static final int PLACES = 1 << 9;

	private final ServerClock clock;

	private final AtomicReferenceArray<@Nullable Holder> places = new AtomicReferenceArray<>(PLACES);

	KnownHolders(ServerClock clock) {
		this.clock = clock;
	}

	/**
	 * Return whose a node is, if that is known.
	 */
	@Nullable LockHolder get(String path) {
		Holder holder = this.places.get(placeOf(path));
		return (holder != null && holder.path().equals(path)) ? read(holder) : null;
	}

	/**
	 * Remember whose a node is.
	 * @param path the path of the node
	 * @param data its data
	 * @param createdAt when it was created, in milliseconds of the server
	 */
	LockHolder add(String path, byte @Nullable [] data, long createdAt) {
		Holder holder = new Holder(path, data, createdAt);
		this.places.set(placeOf(path), holder);
		return read(holder);
	}

	private LockHolder read(Holder holder) {
		return OwnerData.read(holder.data(), this.clock.since(holder.createdAt()));
	}

	private static int placeOf(String path) {
		int hash = path.hashCode();
		return (hash ^ (hash >>> 16)) & (PLACES - 1);
	}

	private record Holder(String path, byte @Nullable [] data, long createdAt) {

	}

}
