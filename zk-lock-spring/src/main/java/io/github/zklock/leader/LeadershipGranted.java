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

/**
 * The event of a node that has got a role. It is published before the beans of the role
 * are started, on the thread of the role. A listener that throws gives the role up, as a
 * {@code start()} that throws does.
 *
 * @param leadership the role that this node has got
 * @since 0.1.0
 */
public record LeadershipGranted(Leadership leadership) {

	/**
	 * Return the role.
	 * @return the name of the role
	 */
	public String role() {
		return this.leadership.role();
	}

	/**
	 * Return the fencing token.
	 * @return the token, greater for every later leader of the role
	 */
	public long fencingToken() {
		return this.leadership.fencingToken();
	}

}
