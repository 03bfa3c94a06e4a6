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

package io.github.zklock.interceptor;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.zklock.core.LockException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells once for each method and outage that its calls are skipped.
 */
final class OutageSkips {

	private static final Logger logger = LoggerFactory.getLogger(OutageSkips.class);

	private final Set<LockTarget> told = ConcurrentHashMap.newKeySet();

	/**
	 * A call was skipped, since its lock could not be asked for.
	 */
	void skipped(LockOperation operation, LockException refusal) {
		LockTarget target = target(operation);
		if (this.told.add(target)) {
			logger.warn("{} is skipped: {}. Further calls are skipped without a line until its lock is available",
					target, refusal.getMessage());
		}
	}

	/**
	 * The lock of a call could be asked for.
	 */
	void answered(LockOperation operation) {
		if (!this.told.isEmpty()) {
			this.told.remove(target(operation));
		}
	}

	private static LockTarget target(LockOperation operation) {
		return new LockTarget(operation.method(), operation.targetClass());
	}

}
