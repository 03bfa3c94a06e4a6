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

	private final Reason reason;

	/**
	 * Create the exception for a question that ZooKeeper has not answered.
	 * @param message what was asked and what to do
	 */
	public ZooKeeperInspectionException(String message) {
		this(message, Reason.NO_ANSWER);
	}

	/**
	 * Create the exception.
	 * @param message what was asked and what to do
	 * @param reason why there is no result
	 */
	public ZooKeeperInspectionException(String message, Reason reason) {
		super(message);
		this.reason = reason;
	}

	/**
	 * Return whether ZooKeeper has refused the request.
	 * @return whether it would refuse a later request, too
	 */
	public boolean isRefusal() {
		return this.reason == Reason.REFUSED;
	}

	/**
	 * Return whether ZooKeeper was not asked since too many inspections wait already.
	 * @return whether a later inspection may have more success
	 */
	public boolean isBusy() {
		return this.reason == Reason.BUSY;
	}

	/**
	 * Why there is no result.
	 */
	public enum Reason {

		/** ZooKeeper has not answered, or not with a result. */
		NO_ANSWER,

		/** ZooKeeper has refused the request. */
		REFUSED,

		/** Too many inspections wait. */
		BUSY

	}

}
