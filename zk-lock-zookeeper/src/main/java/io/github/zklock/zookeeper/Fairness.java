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

/**
 * The order in which callers that wait for one key get it.
 *
 * @since 0.1.0
 */
public enum Fairness {

	/**
	 * In the order in which they came for one mode within a process, and in turns between
	 * processes and modes. A process hands a key over to its own waiters for a second,
	 * without a request to ZooKeeper. If another process or mode waits for it as well,
	 * only eight more get it, within 50 milliseconds. Readers that come meanwhile are
	 * among these eight. They do not overtake a writer of their own process that waits in
	 * ZooKeeper's queue, unless that has a minimum time or a tick.
	 */
	BOUNDED,

	/**
	 * In the order in which they came, whatever the process. Every request takes a place
	 * of its own in ZooKeeper.
	 */
	STRICT

}
