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

package io.github.zklock.zookeeper.queue;

import java.util.function.Function;

import io.github.zklock.core.LockException;

/**
 * Is told, under the lock of the contender, what becomes of it.
 */
public interface Outcome {

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
	 * The lock cannot be had here.
	 * @param failure what to tell those who asked
	 */
	void refused(Function<AttemptFailures, LockException> failure);

}
