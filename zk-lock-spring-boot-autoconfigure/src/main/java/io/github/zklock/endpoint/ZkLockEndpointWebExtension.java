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

import java.util.Map;

import io.github.zklock.zookeeper.inspect.ZooKeeperInspectionException;
import org.jspecify.annotations.NullUnmarked;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * The {@link ZkLockEndpoint} over HTTP, which has a status for questions beyond a few
 * that wait, and knows the user who revokes a lock.
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
	 * Return what {@link ZkLockEndpoint#locks} returns.
	 * @param key a key
	 * @param pattern a pattern for keys
	 * @param page the number of the page of keys, from 0
	 * @param size how many keys a page has
	 * @param provider the name of the provider, to select one of several
	 * @return the answer, with the status 503 if too many questions wait already
	 */
	@ReadOperation
	@NullUnmarked
	public WebEndpointResponse<Map<String, Object>> locks(@org.springframework.lang.Nullable String key,
			@org.springframework.lang.Nullable String pattern, @org.springframework.lang.Nullable Integer page,
			@org.springframework.lang.Nullable Integer size, @org.springframework.lang.Nullable String provider) {
		try {
			return new WebEndpointResponse<>(this.endpoint.find(key, pattern, page, size, provider));
		}
		catch (ZooKeeperInspectionException ex) {
			return new WebEndpointResponse<>(LockAnswers.problem(String.valueOf(ex.getMessage())),
					WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
		}
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
		return this.endpoint.revoke(EndpointUser.of(user.getPrincipal()), key, token, provider);
	}

}
