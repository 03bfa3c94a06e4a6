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

package io.github.zklock.zookeeper.inspect;

/**
 * ZooKeeper was not asked for its queues, or has not answered.
 *
 * @since 0.1.0
 * @see ZooKeeperLockInspector
 */
public final class ZooKeeperInspectionException extends RuntimeException {

	private final Cause cause;

	ZooKeeperInspectionException(String message) {
		this(message, Cause.NO_ANSWER);
	}

	ZooKeeperInspectionException(String message, Cause cause) {
		super(message);
		this.cause = cause;
	}

	/** Return whether ZooKeeper has refused the request, now and later. */
	boolean isRefusal() {
		return this.cause == Cause.REFUSED;
	}

	/**
	 * Return whether ZooKeeper was not asked since too many inspections wait already.
	 * @return whether a later inspection may have more success
	 */
	public boolean isBusy() {
		return this.cause == Cause.BUSY;
	}

	/**
	 * Why there is no result.
	 */
	enum Cause {

		/** ZooKeeper has not answered, or not with a result. */
		NO_ANSWER,

		/** ZooKeeper has refused the request. */
		REFUSED,

		/** Too many inspections wait. */
		BUSY

	}

}
