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
import io.github.zklock.core.LockTick;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says why a scheduled method did not run: once for each method, since on most nodes that
 * is what happens most of the time.
 */
final class SkippedTicks {

	private static final Logger logger = LoggerFactory.getLogger(SkippedTicks.class);

	private final Set<String> told = ConcurrentHashMap.newKeySet();

	void skipped(LockTick tick, LockException refusal) {
		if (this.told.add(tick.schedule())) {
			logger.info("{} is skipped on this node: {} (its next skips are logged at DEBUG)", tick.schedule(),
					refusal.getMessage());
		}
		else if (logger.isDebugEnabled()) {
			logger.debug("{} is skipped on this node: {}", tick.schedule(), refusal.getMessage());
		}
	}

}
