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

import java.util.Collection;
import java.util.List;

/**
 * What the configuration says about roles. The methods are called at start-up.
 *
 * @since 0.1.0
 */
public interface LeaderSettings {

	/**
	 * The settings of an application without any.
	 */
	LeaderSettings NONE = (role) -> true;

	/**
	 * Return whether this node may lead a role.
	 * @param role the role
	 * @return whether it may
	 */
	boolean isEnabled(String role);

	/**
	 * Return the settings of roles that no bean has, as a user would look for them.
	 * @param roles the roles of all beans
	 * @return the settings, as they stand in the configuration
	 */
	default Collection<String> unmatched(Collection<String> roles) {
		return List.of();
	}

	/**
	 * Return whether the node has to be ready before it asks for roles.
	 * @return whether it has, by default not
	 */
	default boolean isReadinessFollowed() {
		return false;
	}

}
