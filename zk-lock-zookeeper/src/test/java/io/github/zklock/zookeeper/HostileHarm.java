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
 * What can become of locks.
 */
enum HostileHarm {

	/** Two bodies run at once. */
	OVERLAP,

	/** A lock is lost, and its holder detects it. */
	LOST_LOCK,

	/** The key cannot be locked as long as nodes of the stranger are there. */
	BUSY_KEY,

	/** The key cannot be locked although they are gone. */
	STUCK_KEY,

	/** A planned run does not take place. */
	LOST_TICK,

	/** A planned run takes place twice. */
	TICK_TWICE

}
