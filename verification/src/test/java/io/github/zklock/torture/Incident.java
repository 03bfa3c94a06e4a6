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

package io.github.zklock.torture;

import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A blow as it was dealt, by the judge's clock.
 *
 * @param strike what was planned
 * @param worker the worker that was hit, or an empty text
 * @param begin when it began
 * @param end when it was over
 * @param recoveryMillis for each key after how many milliseconds it was granted again,
 * without the time for which the machine stood still
 */
record Incident(Strike strike, String worker, long begin, long end, Map<String, Long> recoveryMillis) {

	private static final long UNTIL_KNOWN = TimeUnit.SECONDS.toNanos(1);

	Nemesis nemesis() {
		return this.strike.nemesis();
	}

	// Nothing tells a client at once that its session was ended by hand.
	boolean touches(Grant grant) {
		long known = (nemesis().cause() == Nemesis.Cause.HAND) ? this.end + UNTIL_KNOWN : this.end;
		return this.worker.equals(grant.worker) && this.begin <= grant.exited && grant.acquired <= known;
	}

	/**
	 * Return whether a key was not granted again in time.
	 */
	boolean isLate() {
		return slowestMillis() > this.strike.nemesis().bound().toMillis();
	}

	long slowestMillis() {
		return this.recoveryMillis.values().stream().mapToLong(Long::longValue).max().orElse(0);
	}

}
