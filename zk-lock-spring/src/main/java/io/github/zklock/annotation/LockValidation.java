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

package io.github.zklock.annotation;

import io.github.zklock.core.InvalidLockUsageException;

/**
 * What to do at start-up about uses of {@link DistributedLock @DistributedLock} that
 * cannot work.
 *
 * @since 0.1.0
 */
public enum LockValidation {

	/**
	 * Stop the application with an {@link InvalidLockUsageException}.
	 */
	FAIL,

	/**
	 * Log a warning for each.
	 */
	WARN,

	/**
	 * Check nothing at start-up. A method whose lock cannot be made out still fails when
	 * it is called.
	 */
	OFF

}
