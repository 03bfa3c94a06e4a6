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

package io.github.zklock.leader;

import java.time.Duration;

/**
 * The event of a node that loses a role. It is published before the beans of the role are
 * stopped, on the thread of the role. A slow listener uses up the time of {@code stop()}.
 *
 * @param leadership the role that this node loses
 * @param reason why it loses the role
 * @since 0.1.0
 */
public record LeadershipRevoked(Leadership leadership, Reason reason) {

	/**
	 * Return the role.
	 * @return the name of the role
	 */
	public String role() {
		return this.leadership.role();
	}

	/**
	 * Return how long {@code stop()} has from this moment on: the rest of the lease.
	 * While the connection is up, the lease is extended until the beans have stopped.
	 * @return the time, as {@link Leadership#remaining()} returns it
	 */
	public Duration deadline() {
		return this.leadership.remaining();
	}

	/**
	 * Why a node loses a role.
	 *
	 * @since 0.1.0
	 */
	public enum Reason {

		/**
		 * The connection to the backend is interrupted, and the lease will end soon.
		 */
		LEASE_ENDS,

		/**
		 * The lock of the role is lost already. The process was paused, the session has
		 * ended, or another client has deleted the node of the lock.
		 */
		LOST,

		/**
		 * {@link LeaderRoles#yield(String)} was called.
		 */
		YIELDED,

		/**
		 * A {@code start()} or a listener of {@link LeadershipGranted} has thrown an
		 * exception.
		 */
		START_FAILED,

		/**
		 * The application refuses traffic, and its roles follow that.
		 */
		NOT_READY,

		/**
		 * The application context stops.
		 */
		SHUT_DOWN

	}

}
