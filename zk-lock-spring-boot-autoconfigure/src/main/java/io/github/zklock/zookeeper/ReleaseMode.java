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

package io.github.zklock.zookeeper;

/**
 * What {@link io.github.zklock.core.LockHandle#release()} waits for.
 *
 * @since 0.1.0
 */
public enum ReleaseMode {

	/**
	 * For ZooKeeper to confirm that the lock is free, one second at most. A loss that
	 * shows only then is still told to the holder.
	 */
	SYNC,

	/**
	 * For nothing: the lock is free one way to ZooKeeper later. The next request of the
	 * same process still comes after it; a single try of another process may come before,
	 * and finds the key taken. A loss that shows only then is told to listeners and not
	 * to the holder any more.
	 */
	ASYNC

}
