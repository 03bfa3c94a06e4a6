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
import io.github.zklock.core.LossPolicy;

/**
 * The state of a lock from its grant on, without the state of its session.
 */
enum HoldState {

	HELD(LockState.HELD),

	/** Its release has begun, and may wait for the answer of ZooKeeper. */
	RELEASING(LockState.RELEASED),

	/** Its release has returned, with or without an answer. */
	RELEASED(LockState.RELEASED),

	/** The loss was found before a release, so the holder is notified. */
	LOST(LockState.LOST),

	/** The release has found that the node was gone. */
	FOUND_LOST(LockState.LOST),

	/** The same, after the release has returned. */
	FOUND_LATE(LockState.LOST);

	final LockState lockState;

	HoldState(LockState lockState) {
		this.lockState = lockState;
	}

	boolean leadsTo(HoldState next) {
		return switch (this) {
			case HELD -> next == RELEASING || next == LOST;
			case RELEASING -> next == RELEASED || next == FOUND_LOST;
			case RELEASED -> next == FOUND_LATE;
			case LOST, FOUND_LOST, FOUND_LATE -> false;
		};
	}

	/** Return what a loss in this state means for the caller, as sentences. */
	String consequence(LossPolicy onLost) {
		String goesOn = (this == LOST) ? ((onLost == LossPolicy.INTERRUPT) ? "A guarded call is interrupted. "
				: "What runs under it goes on. ") : "";
		if (onLost == LossPolicy.IGNORE) {
			return goesOn + "Its caller gets no exception (onLost = IGNORE)";
		}
		return goesOn + ((this == FOUND_LATE)
				? "ZooKeeper has reported that after the release had returned, so its caller may get no exception"
				: "A guarded call that returns normally ends with a LockLostException");
	}

}
