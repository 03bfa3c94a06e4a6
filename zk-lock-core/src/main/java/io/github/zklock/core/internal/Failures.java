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

package io.github.zklock.core.internal;

import java.util.concurrent.CompletionException;

import io.github.zklock.core.LockLostException;
import org.jspecify.annotations.Nullable;

/**
 * Handles exceptions of futures and bodies.
 *
 * @since 0.1.0
 */
public final class Failures {

	static final String NOT_RELEASED = "{} was not released: its provider must not throw, but did";

	private Failures() {
	}

	/**
	 * Return what made a future fail.
	 * @param failure the failure, as the future reports it
	 * @return the failure of the work
	 */
	public static Throwable unwrap(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	/**
	 * Log a failure, unless even that fails: the caller has to go on.
	 */
	static void log(Runnable logging) {
		try {
			logging.run();
		}
		catch (Throwable ex) {
			// There is no stack or memory left to log it.
		}
	}

	/**
	 * Add the loss of a lock to a failure, unless the failure reports a loss itself: the
	 * advice of the two could differ.
	 */
	static void suppress(Throwable outcome, @Nullable LockLostException loss) {
		if (loss != null && !(outcome instanceof LockLostException)) {
			outcome.addSuppressed(loss);
		}
	}

}
