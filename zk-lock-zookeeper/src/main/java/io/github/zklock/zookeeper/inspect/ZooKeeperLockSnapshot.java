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

package io.github.zklock.zookeeper.inspect;

import java.time.Duration;
import java.util.List;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockState;

/**
 * What this process holds through a
 * {@link io.github.zklock.zookeeper.ZooKeeperLockProvider}, and what it waits for, at one
 * moment; those that last longest come first. ZooKeeper was not asked. Applications read
 * this record and its parts, and do not create them: a later version may add components.
 *
 * @param held the locks that are held, nested ones once
 * @param waiting the requests that wait for their answer
 * @since 0.1.0
 * @see io.github.zklock.zookeeper.ZooKeeperLockProvider#snapshot()
 */
public record ZooKeeperLockSnapshot(List<Held> held, List<Waiting> waiting) {

	/**
	 * A lock that is held.
	 *
	 * @param key the key
	 * @param mode the mode
	 * @param name the low-cardinality name
	 * @param state what is known of the lock
	 * @param heldFor for how long it has been held
	 * @param fencingToken its fencing token
	 */
	public record Held(String key, LockMode mode, String name, LockState state, Duration heldFor, long fencingToken) {

	}

	/**
	 * A request that waits.
	 *
	 * @param key the key
	 * @param mode the mode
	 * @param name the low-cardinality name
	 * @param waitingFor for how long it has waited
	 * @param waitTime how long it is to wait at most; zero for one try
	 */
	public record Waiting(String key, LockMode mode, String name, Duration waitingFor, Duration waitTime) {

	}

}
