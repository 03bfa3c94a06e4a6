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

package io.github.zklock.autoconfigure;

import java.time.Duration;

/**
 * How long a lock is surely held after ZooKeeper was heard of last.
 *
 * @since 0.1.0
 */
public class ZkLockLeaseProperties {

	/**
	 * Value of tickTime in the configuration of the ZooKeeper servers, which a client
	 * cannot ask for. Twice that value if clients connect to observers that follow a
	 * follower (observerMasterPort), since the leader hears of them half a tick later.
	 */
	private Duration serverTick = Duration.ofSeconds(2);

	public Duration getServerTick() {
		return this.serverTick;
	}

	public void setServerTick(Duration serverTick) {
		this.serverTick = serverTick;
	}

}
