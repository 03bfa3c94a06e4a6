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

package io.github.zklock.core.spi;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What the configuration says about locks, read once for each guarded method and for each
 * name that a {@link io.github.zklock.core.LockRequest} has. Where it may say
 * {@code null}, that is to follow the annotation or the request.
 *
 * @since 0.1.0
 */
public interface LockSettings {

	/**
	 * Return how long to wait for a lock for which nothing else is said.
	 * @return the wait
	 */
	Duration defaultWait();

	/**
	 * Return how long to wait for the locks of a name, whatever the annotation says.
	 * @param name the name of the locks
	 * @return the wait, or {@code null}
	 */
	@Nullable Duration wait(String name);

	/**
	 * Return whether the methods of a name run without their lock, under one that
	 * excludes no other call.
	 * @param name the name of the locks
	 * @return whether they run without it
	 */
	boolean isUnguarded(String name);

	/**
	 * Return whether the process may keep the locks of a name for its next call, whatever
	 * the annotation says.
	 * @param name the name of the locks
	 * @return whether it may, or {@code null}
	 */
	default @Nullable Boolean cache(String name) {
		return null;
	}

	/**
	 * Return whether a scheduled method of a name runs once per tick in the whole
	 * cluster.
	 * @param name the name of the locks
	 * @return whether it does, or {@code null}
	 */
	default @Nullable Boolean oncePerTick(String name) {
		return null;
	}

	/**
	 * Return how long after its time a tick of a scheduled method of a name may be made
	 * up for.
	 * @param name the name of the locks
	 * @return the time, or {@code null}
	 */
	default @Nullable Duration recoverWithin(String name) {
		return null;
	}

	/**
	 * Return how often a tick of a scheduled method of a name may begin to run, if it may
	 * be made up for.
	 * @param name the name of the locks
	 * @return the number, or {@code null}
	 */
	default @Nullable Integer maxAttempts(String name) {
		return null;
	}

	/**
	 * Return how many shards of one tick of a scheduled method of a name this node runs
	 * at once.
	 * @param name the name of the locks
	 * @return the number, or {@code null}
	 */
	default @Nullable Integer shardsPerNode(String name) {
		return null;
	}

	/**
	 * Return the settings for names that no lock has, as a user would look for them.
	 * Asked once at start-up, to warn of each.
	 * @param names the names of all locks
	 * @return the settings, as they stand in the configuration
	 */
	default Collection<String> unmatched(Collection<String> names) {
		return List.of();
	}

}
