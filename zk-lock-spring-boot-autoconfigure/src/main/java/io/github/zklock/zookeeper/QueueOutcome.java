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
 * Is told, under the lock of the contender, what becomes of it.
 */
interface QueueOutcome {

	/**
	 * Nobody has to go first any more.
	 * @param contender the contender, still in its place
	 */
	void granted(QueueContender contender);

	/**
	 * Others are first.
	 * @param contender the contender
	 * @return whether to wait for them
	 */
	boolean queued(QueueContender contender);

	/**
	 * The place in the queue is gone; another one may be taken.
	 */
	void vanished();

	/**
	 * The key is in use with another number of permits.
	 * @param permitsInUse that number
	 */
	void mismatched(int permitsInUse);

	/**
	 * The server does not permit it.
	 * @param code the reply code
	 * @param path where
	 */
	void denied(String code, String path);

	/**
	 * The lock cannot be had here.
	 * @param reason why, and what to do
	 */
	void refused(String reason);

}
