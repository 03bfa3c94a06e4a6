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

import io.github.zklock.endpoint.ZkJobsEndpoint.Answer;
import org.jspecify.annotations.NullUnmarked;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * The {@link ZkJobsEndpoint} over HTTP, where answers have a status and the user is
 * known.
 *
 * @since 0.1.0
 */
@EndpointWebExtension(endpoint = ZkJobsEndpoint.class)
public final class ZkJobsEndpointWebExtension {

	private final ZkJobsEndpoint endpoint;

	/**
	 * Create the extension.
	 * @param endpoint the endpoint
	 */
	public ZkJobsEndpointWebExtension(ZkJobsEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	/**
	 * Return all jobs.
	 * @return the answer
	 */
	@ReadOperation
	public WebEndpointResponse<Map<String, Object>> jobs() {
		return response(this.endpoint.list());
	}

	/**
	 * Return a job.
	 * @param name the name of the job
	 * @return the answer
	 */
	@ReadOperation
	public WebEndpointResponse<Map<String, Object>> job(@Selector String name) {
		return response(this.endpoint.get(name));
	}

	/**
	 * Pause, resume or run a job.
	 * @param user the user of the request
	 * @param name the name of the job
	 * @param action {@code pause}, {@code resume} or {@code run}
	 * @param shard the only shard to run, or {@code null} for all
	 * @return what was done
	 */
	@WriteOperation
	@NullUnmarked
	public WebEndpointResponse<Map<String, Object>> change(SecurityContext user, @Selector String name,
			@org.springframework.lang.Nullable String action, @org.springframework.lang.Nullable Integer shard) {
		return response(this.endpoint.change(EndpointUser.of(user.getPrincipal()), name, action, shard));
	}

	private static WebEndpointResponse<Map<String, Object>> response(Answer answer) {
		return new WebEndpointResponse<>(answer.body(), answer.status());
	}

}
