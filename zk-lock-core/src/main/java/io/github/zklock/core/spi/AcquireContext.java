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

package io.github.zklock.core.spi;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link LockProvider} may know about the caller of a request. Immutable.
 *
 * @since 0.1.0
 */
public final class AcquireContext {

	/**
	 * The context of a caller that requests one lock and no notifications.
	 */
	public static final AcquireContext NONE = new AcquireContext(Duration.ZERO, null);

	private final Duration spent;

	private final @Nullable Runnable whenWaiting;

	private AcquireContext(Duration spent, @Nullable Runnable whenWaiting) {
		this.spent = spent;
		this.whenWaiting = whenWaiting;
	}

	/**
	 * Return a copy for one of several locks that are requested together.
	 * @param spent how long the caller has been asking for the other locks
	 * @return the copy
	 */
	public AcquireContext withSpent(Duration spent) {
		return new AcquireContext(spent, this.whenWaiting);
	}

	/**
	 * Return a copy with an action for the begin of a wait.
	 * @param whenWaiting the action, or {@code null} for none
	 * @return the copy
	 */
	public AcquireContext withWhenWaiting(@Nullable Runnable whenWaiting) {
		return new AcquireContext(this.spent, whenWaiting);
	}

	/**
	 * Return how long the caller has been asking for other locks of the same call. A
	 * provider that limits the time of a non-blocking attempt gives all of them one
	 * limit.
	 * @return the time, zero for a single lock
	 */
	public Duration spent() {
		return this.spent;
	}

	/**
	 * Return what to run when the request begins to wait, because other holders have the
	 * lock or there is no connection to the backend. A provider that notices it runs the
	 * action at most once, on a thread of its own.
	 * @return the action, or {@code null} if there is none
	 */
	public @Nullable Runnable whenWaiting() {
		return this.whenWaiting;
	}

}
