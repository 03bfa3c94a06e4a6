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

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LossPolicy;
import org.jspecify.annotations.Nullable;

/**
 * One lock of a method, read from its annotation and the configuration.
 *
 * @param key the compiled key
 * @param name the name in metrics and properties
 * @param mode the mode
 * @param waitTime how long to wait
 * @param permits how many may hold a key at once, 0 if it is computed for each call
 * @param permitsExpression what computes the number of permits for each call, or
 * {@code null} if the number is fixed
 * @param atLeast how long to keep it at least
 * @param onLost what happens when it is lost
 * @param cache whether the process may keep it for the next call
 * @param unguarded whether methods run without it
 * @param condition what decides whether a call needs it, or {@code null} if each call
 * does
 * @param provider the name of the bean that provides the lock, empty for the default one
 * @since 0.1.0
 */
public record LockSpecification(LockExpression key, String name, LockMode mode, Duration waitTime, int permits,
		@Nullable LockExpression permitsExpression, Duration atLeast, LossPolicy onLost, boolean cache,
		boolean unguarded, @Nullable LockExpression condition, String provider) {

	/**
	 * Create the request of one call.
	 * @param key the key of the call
	 * @param permits how many may hold it at once
	 * @return the request
	 * @throws io.github.zklock.core.LockKeyException if the key is not allowed
	 */
	public LockRequest request(String key, int permits) {
		return LockRequest.of(key)
			.withMode(this.mode)
			.withWait(this.waitTime)
			.withName(this.name)
			.withPermits(permits)
			.withLockAtLeastFor(this.atLeast)
			.withOnLost(this.onLost)
			.withCache(this.cache);
	}

}
