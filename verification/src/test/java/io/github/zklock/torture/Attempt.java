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

/**
 * How a request for a lock ended.
 *
 * @param worker who asked
 * @param key the key
 * @param boundMillis how long it was allowed to take
 * @param tookMillis how long it took, without the time for which the machine stood still
 * @param outcome {@code granted} or the name of the exception
 * @param nanos when it ended
 */
record Attempt(String worker, String key, long boundMillis, long tookMillis, String outcome, long nanos) {

	static final String GRANTED = "granted";

	long excessMillis() {
		return this.tookMillis - this.boundMillis;
	}

}
