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

package io.github.zklock.core;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns once for each name of a lock if another thread uses the handle that a thread
 * acquired for itself.
 */
final class ForeignUse {

	private static final Logger logger = LoggerFactory.getLogger(ForeignUse.class);

	private static final int MAX_NAMES = 100;

	private final Set<String> told = ConcurrentHashMap.newKeySet();

	void warn(String name, LockHandle handle, Thread owner) {
		if (this.told.size() < MAX_NAMES && this.told.add(name)) {
			logger.warn(
					"{}: thread '{}' acquired it for itself, and thread '{}' uses its handle, so '{}' does not "
							+ "re-enter it any more. Acquire a lock for another thread with an owner of its own "
							+ "(LockRequest.withOwner), or with acquireAsync. This is told once for locks named '{}'",
					LockException.describe(handle), LockKeys.abbreviate(owner.getName()),
					LockKeys.abbreviate(Thread.currentThread().getName()), LockKeys.abbreviate(owner.getName()),
					LockKeys.abbreviate(name));
		}
	}

}
