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
import java.util.Map;

import org.jspecify.annotations.NullUnmarked;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * The revocation of the {@link ZkLockEndpoint} over HTTP, which knows the user.
 *
 * @since 0.1.0
 */
@EndpointWebExtension(endpoint = ZkLockEndpoint.class)
public final class ZkLockEndpointWebExtension {

	private final ZkLockEndpoint endpoint;

	/**
	 * Create the extension.
	 * @param endpoint the endpoint
	 */
	public ZkLockEndpointWebExtension(ZkLockEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	/**
	 * Take a lock away from its holder.
	 * @param user the user of the request
	 * @param key the key
	 * @param token the token of the holder, as the answer for the key shows it
	 * @param provider the name of the provider, if there are several
	 * @return what was done, and what the holder will see
	 */
	@DeleteOperation
	@NullUnmarked
	public Map<String, Object> revoke(SecurityContext user, String key, String token,
			@org.springframework.lang.Nullable String provider) {
		Principal principal = user.getPrincipal();
		return this.endpoint.revoke((principal != null) ? principal.getName() : null, key, token, provider);
	}

}
