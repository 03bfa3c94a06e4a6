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

package io.github.zklock.zookeeper.local;

import java.time.Duration;
import java.util.function.Supplier;

import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.node.OwnerData;

/**
 * A holder of the lock in this process.
 *
 * @param request the request
 * @param data returns the owner data, which other processes can read
 * @param start the time of the request, by the clock of the engine
 */
record LocalHolder(LockRequest request, Supplier<byte[]> data, long start) {

	/** Return a description for messages, at a time of that clock. */
	LockHolder describe(long now) {
		return OwnerData.read(this.data.get(), Duration.ofNanos(now - this.start));
	}

}
