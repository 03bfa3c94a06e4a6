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

package io.github.zklock.endpoint;

import java.security.Principal;

import io.github.zklock.core.internal.LockKeys;
import org.jspecify.annotations.Nullable;

/**
 * The user of a request. Users of some applications choose their names, which could forge
 * lines of a log or be very long. So a name is cut and escaped before anything else sees
 * it.
 */
final class EndpointUser {

	static final EndpointUser UNKNOWN = new EndpointUser(null);

	private final @Nullable String name;

	private EndpointUser(@Nullable String name) {
		this.name = name;
	}

	static EndpointUser of(@Nullable Principal principal) {
		String name = (principal != null) ? principal.getName() : null;
		return (name != null) ? new EndpointUser(LockKeys.abbreviate(name)) : UNKNOWN;
	}

	@Nullable String name() {
		return this.name;
	}

	/** Return the name for an audit event, which needs one. */
	String audited() {
		return (this.name != null) ? this.name : "";
	}

	@Override
	public String toString() {
		return (this.name != null) ? "'" + this.name + "'" : "an unknown user";
	}

}
