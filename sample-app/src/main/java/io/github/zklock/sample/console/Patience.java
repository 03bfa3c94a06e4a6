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

package io.github.zklock.sample.console;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Waits for what has to happen, and tells how long that took.
 */
final class Patience {

	static final long SECONDS = 60;

	private static final long LOOK_AGAIN = 25;

	private final long begin = System.nanoTime();

	long nanos() {
		return System.nanoTime() - this.begin;
	}

	boolean isOver(Duration time) {
		return nanos() >= time.toNanos();
	}

	static String text(long nanos) {
		long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
		return (millis < 1000) ? millis + " ms" : String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
	}

	static String count(long count, String what) {
		return count + " " + what + ((count == 1) ? "" : "s");
	}

	/**
	 * Wait for an answer.
	 * @param what what is awaited, for the message
	 * @param question what gives the answer, or {@code null} as long as there is none
	 * @param <T> the type of the answer
	 * @return the answer
	 * @throws TimeoutException if there is none within a minute
	 * @throws InterruptedException if the application ends
	 */
	static <T> T await(String what, Supplier<@Nullable T> question) throws TimeoutException, InterruptedException {
		Patience patience = new Patience();
		while (!patience.isOver(Duration.ofSeconds(SECONDS))) {
			T answer = question.get();
			if (answer != null) {
				return answer;
			}
			Thread.sleep(LOOK_AGAIN);
		}
		throw new TimeoutException(what + " within " + SECONDS + " s");
	}

}
