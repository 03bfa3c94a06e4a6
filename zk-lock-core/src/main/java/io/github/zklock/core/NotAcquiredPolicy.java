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
 * What a guarded method does when the lock was not acquired in time. An outage of
 * ZooKeeper is not meant: that is {@link UnavailablePolicy}.
 *
 * @since 0.1.0
 */
public enum NotAcquiredPolicy {

	/**
	 * The fallback method if there is one. Otherwise {@link #SKIP} for methods annotated
	 * with {@code @Scheduled}, and {@link #THROW} for all others.
	 */
	AUTO,

	/**
	 * Throw {@link LockNotAcquiredException}.
	 */
	THROW,

	/**
	 * Do not call the method and return an empty {@code Optional}, a completed future or
	 * an empty publisher if it returns one, else {@code null}. Not allowed on methods
	 * that return a primitive.
	 */
	SKIP

}
