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

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The shutdown of an engine without a thread that waits for it.
 */
final class AsyncShutdown {

	private AsyncShutdown() {
	}

	/**
	 * Shut an engine down.
	 * @return what ends when {@link LockEngine#shutdown} would return
	 */
	static CompletableFuture<Void> of(LockEngine engine, Duration grace) {
		if (!engine.beginShutdown()) {
			return CompletableFuture.completedFuture(null);
		}
		return engine.tasks.within(TimeUnit.MILLISECONDS.convert(grace), engine.held.whenNone(Set.of()), null)
			.thenComposeAsync((none) -> engine.tasks.within(LockEngine.CLEAN_UP.toMillis(), engine.cleanUp(), null),
					engine.tasks::callBack)
			.thenRun(engine::endShutdown);
	}

}
