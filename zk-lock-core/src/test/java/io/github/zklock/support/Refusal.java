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

package io.github.zklock.support;

import java.time.Duration;

import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockUnavailableException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * The answer to a request for a lock that another client holds. On a machine that stands
 * still, a short wait may be over before the place in the queue is known, and the time to
 * look up the holder before the holder is found. These are outcomes of their own, so the
 * request is made again.
 */
public final class Refusal {

	// Only ends a test in which every request is too late.
	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private Refusal() {
	}

	/**
	 * Make a request until it is refused in favour of a holder that is known.
	 * @param request the request
	 * @return the refusal
	 */
	public static LockNotAcquiredException of(ThrowingCallable request) {
		long start = System.nanoTime();
		Throwable thrown = catchThrowable(request);
		while (isTooLate(thrown) && System.nanoTime() - start < PATIENCE.toNanos()) {
			thrown = catchThrowable(request);
		}
		assertThat(thrown).isInstanceOf(LockNotAcquiredException.class);
		return (LockNotAcquiredException) thrown;
	}

	private static boolean isTooLate(Throwable thrown) {
		return thrown instanceof LockUnavailableException || (thrown instanceof LockNotAcquiredException refused
				&& refused.getTick() == null && refused.getHolder() == null);
	}

}
