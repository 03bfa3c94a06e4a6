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

package io.github.zklock.leader.internal;

import java.time.Duration;

import io.github.zklock.leader.Leadership;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a role on this node at one moment.
 *
 * @param role the role
 * @param state what the node does about it
 * @param leadership the role as this node has got it, or {@code null}
 * @param ledFor since when it has got the role, zero if it has not
 * @param overruns how often beans of the role ran on after their lease
 * @since 0.1.0
 */
public record LeaderStatus(String role, State state, @Nullable Leadership leadership, Duration ledFor, long overruns) {

	/**
	 * What a node does about a role.
	 */
	public enum State {

		/** It does not ask for the role. */
		OUT,

		/** It asks for the role, or will do so. */
		WAITING,

		/** It has got the role, and starts the beans. */
		STARTING,

		/** It leads. */
		LEADING,

		/** It has lost or given up the role, and stops the beans. */
		STOPPING;

		/**
		 * Return whether the node leads in this state.
		 * @return whether it does
		 */
		public boolean isLeader() {
			return this == STARTING || this == LEADING;
		}

	}

}
