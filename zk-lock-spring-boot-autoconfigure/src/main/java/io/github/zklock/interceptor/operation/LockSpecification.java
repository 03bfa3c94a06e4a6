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

package io.github.zklock.interceptor.operation;

import java.time.Duration;
import java.util.Objects;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LossPolicy;
import org.jspecify.annotations.Nullable;

/**
 * One lock of a method, read from its annotation and the configuration.
 *
 * @param key the compiled key
 * @param mode the mode
 * @param waitTime how long to wait
 * @param name the low-cardinality name
 * @param permits how many may hold a key at once; 0 if that is computed for each call
 * @param permitsExpression what computes it, if anything
 * @param atLeast how long to keep it at least
 * @param onLost what happens when it is lost
 * @param cache whether the process may keep it for the next call
 * @param enabled whether it is taken at all
 * @param condition what says whether a call needs it, or {@code null} if all do
 * @param client the name of the client whose lock it is
 * @since 0.1.0
 */
public record LockSpecification(LockExpression key, LockMode mode, Duration waitTime, String name, int permits,
		@Nullable LockExpression permitsExpression, Duration atLeast, LossPolicy onLost, boolean cache, boolean enabled,
		@Nullable LockExpression condition, String client) {

	/**
	 * Check the values.
	 */
	public LockSpecification {
		Objects.requireNonNull(key, "key must not be null");
		Objects.requireNonNull(mode, "mode must not be null");
		Objects.requireNonNull(waitTime, "waitTime must not be null");
		Objects.requireNonNull(name, "name must not be null");
		Objects.requireNonNull(atLeast, "atLeast must not be null");
		Objects.requireNonNull(client, "client must not be null");
		Objects.requireNonNull(onLost, "onLost must not be null");
	}

	/**
	 * Create the request of one call.
	 * @param key the key of the call
	 * @param permits how many may hold it at once
	 * @return the request
	 * @throws io.github.zklock.core.LockKeyException if the key is not allowed
	 */
	public LockRequest request(String key, int permits) {
		return new LockRequest(key, this.mode, this.waitTime, this.name, null, true, permits, this.atLeast, this.onLost,
				this.cache, null, this.client);
	}

}
