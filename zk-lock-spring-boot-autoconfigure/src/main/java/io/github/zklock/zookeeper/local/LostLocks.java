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
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.core.DurationText;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockLoss;
import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.tasks.MendedTasks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts lost locks, and logs each with its consequence for the application.
 */
public final class LostLocks {

	private static final Logger logger = LoggerFactory.getLogger(LostLocks.class);

	private final AtomicInteger count = new AtomicInteger();

	public int count() {
		return this.count.get();
	}

	void add(LockRequest request, long token, Duration held, LockLoss loss) {
		this.count.incrementAndGet();
		try {
			logger.error("{} named '{}' with token {}, held for {}, is lost: {}, so another client may hold it. {}",
					LockException.describe(request), LockException.printable(request.name()), token,
					DurationText.of(held), loss, consequence(request));
		}
		catch (Throwable ex) {
			// An appender that fails must not make the loss be told again and again.
			MendedTasks.log("The loss of a lock could not be logged", ex);
		}
	}

	private static String consequence(LockRequest request) {
		return switch (request.onLost()) {
			case FAIL_AT_EXIT -> "What runs under it goes on, and its caller gets a LockLostException";
			case INTERRUPT -> "What runs under it is interrupted, and its caller gets a LockLostException";
			case IGNORE -> "What runs under it goes on, and its caller is not told (onLost = IGNORE)";
		};
	}

}
