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
 * Is told what becomes of a contender. Called under the contender's lock.
 */
public interface Outcome {

	/**
	 * Called when no other contender has to go first any more.
	 * @param contender the contender, which is still in the queue
	 */
	void granted(QueueContender contender);

	/**
	 * Called when other contenders are first.
	 * @param contender the contender
	 * @return whether to wait for them
	 */
	boolean queued(QueueContender contender);

	/**
	 * Called when the place in the queue is gone. Another one may be taken.
	 */
	void vanished();

	/**
	 * Called when the contender cannot get the lock.
	 * @param failure creates the exception for each request
	 */
	void refused(Function<AttemptFailures, LockException> failure);

}
