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

import java.util.Optional;
import java.util.Set;

import io.github.zklock.core.LockHolder;

/**
 * The roles of this application, and which of them this node leads. A bean of this type
 * is there even if no bean has a role. Thread safe.
 *
 * @since 0.1.0
 * @see LeaderRole
 */
public interface LeaderRoles {

	/**
	 * Return the roles that beans of this application context have.
	 * @return the names, sorted
	 */
	Set<String> roles();

	/**
	 * Return whether this node leads a role, without any I/O. It leads from the grant
	 * until it begins to stop the beans of the role.
	 * @param role the role
	 * @return whether it does
	 * @throws IllegalArgumentException if no bean has the role
	 */
	boolean isLeader(String role);

	/**
	 * Return the node that leads a role in the cluster, with one request to the backend.
	 * @param role the role, which another application may have
	 * @return the leader, or empty if there is none at this moment or it is not known
	 * @throws io.github.zklock.core.LockUnavailableException if the backend could not be
	 * asked
	 * @throws io.github.zklock.core.LockKeyException if the name is not allowed
	 */
	Optional<LockHolder> leader(String role);

	/**
	 * Return the role as this node has got it. It is there as long as the beans of the
	 * role run, even in their {@code stop()}.
	 * @param role the role
	 * @return the role, or empty if this node has not got it
	 * @throws IllegalArgumentException if no bean has the role
	 */
	Optional<Leadership> current(String role);

	/**
	 * Give up a role that this node leads. Returns at once. The beans of the role are
	 * stopped, then the role is free for other nodes. This node asks for it again a
	 * second later, behind the nodes that wait for it.
	 * @param role the role
	 * @return whether this node led the role
	 * @throws IllegalArgumentException if no bean has the role
	 */
	boolean yield(String role);

}
