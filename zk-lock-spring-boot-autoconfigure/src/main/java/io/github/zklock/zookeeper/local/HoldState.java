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

package io.github.zklock.zookeeper.local;

import io.github.zklock.core.LockState;

/**
 * What has become of a lock that was granted.
 */
enum HoldState {

	HELD(LockState.HELD),

	RELEASED(LockState.RELEASED),

	/** Its holder was told, or can see it. */
	LOST(LockState.LOST),

	/** The node turned out to be gone when it was released. */
	FOUND_LOST(LockState.LOST);

	private final LockState told;

	HoldState(LockState told) {
		this.told = told;
	}

	/**
	 * Return what the holder is told.
	 */
	LockState told() {
		return this.told;
	}

	boolean leadsTo(HoldState next) {
		return switch (this) {
			case HELD -> next == RELEASED || next == LOST;
			case RELEASED -> next == FOUND_LOST;
			case LOST, FOUND_LOST -> false;
		};
	}

}
