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

package io.github.zklock.autoconfigure;

import java.time.Duration;

/**
 * How the client repeats what a lost connection has interrupted.
 *
 * @since 0.1.0
 */
public class ZkLockRetryProperties {

	/**
	 * Time to sleep before the first retry, which grows exponentially from there.
	 */
	private Duration baseSleep = Duration.ofMillis(100);

	/**
	 * Upper bound of the time to sleep before a retry.
	 */
	private Duration maxSleep = Duration.ofSeconds(2);

	/**
	 * Number of retries after which an operation counts as failed.
	 */
	private int maxRetries = 5;

	public Duration getBaseSleep() {
		return this.baseSleep;
	}

	public void setBaseSleep(Duration baseSleep) {
		this.baseSleep = baseSleep;
	}

	public Duration getMaxSleep() {
		return this.maxSleep;
	}

	public void setMaxSleep(Duration maxSleep) {
		this.maxSleep = maxSleep;
	}

	public int getMaxRetries() {
		return this.maxRetries;
	}

	public void setMaxRetries(int maxRetries) {
		this.maxRetries = maxRetries;
	}

}
