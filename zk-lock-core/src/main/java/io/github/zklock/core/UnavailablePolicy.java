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

/**
 * What happens when ZooKeeper could not be asked for the lock in time: it is not known
 * whether the lock is free. A permanent refusal ({@link LockAccessException}) is thrown
 * in every case.
 *
 * @since 0.1.0
 */
public enum UnavailablePolicy {

	/**
	 * {@link #SKIP} for methods annotated with {@code @Scheduled} that can be skipped,
	 * which their next run makes up for, and {@link #THROW} for all others.
	 */
	AUTO,

	/**
	 * Throw {@link LockUnavailableException}.
	 */
	THROW,

	/**
	 * Do not call the method and return what {@link NotAcquiredPolicy#SKIP} returns. One
	 * line of the log reports it for each method and outage.
	 */
	SKIP

}
