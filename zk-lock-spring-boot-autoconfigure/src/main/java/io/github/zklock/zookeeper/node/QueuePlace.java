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

package io.github.zklock.zookeeper.node;

import java.time.Duration;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import org.jspecify.annotations.Nullable;

/**
 * What a contender asks for.
 *
 * @param key the key
 * @param mode the mode
 * @param permits how many may hold the key at once
 * @param atLeast how long the key stays taken at least
 * @param cache whether its node may be kept without a holder
 * @param tick the planned run that it is for, if any
 * @param data the owner, as the node describes it
 */
public record QueuePlace(String key, LockMode mode, int permits, Duration atLeast, boolean cache,
		@Nullable LockTick tick, byte[] data) {

	public static QueuePlace of(LockRequest request, byte[] data) {
		return new QueuePlace(request.key(), request.mode(), request.permits(), request.atLeast(), request.cache(),
				request.tick(), data);
	}

	/**
	 * Return whether something is left beside the queue before the lock is granted, so
	 * that no other request can hold it by the same node.
	 */
	public static boolean standsAlone(LockRequest request) {
		return !request.atLeast().isZero() || request.tick() != null;
	}

	/**
	 * Return what follows the unique beginning of the name of its node.
	 */
	public String infix() {
		return mark() + QueueNode.infix(this.mode);
	}

	// No request has more than one of these.
	private String mark() {
		if (this.permits > 1) {
			return "p" + this.permits + "-";
		}
		if (this.cache) {
			return QueueNode.CACHEABLE;
		}
		return this.atLeast.isZero() ? "" : QueueNode.STAMPING;
	}

}
