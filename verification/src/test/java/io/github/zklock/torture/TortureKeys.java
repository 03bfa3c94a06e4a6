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

import java.time.Duration;
import java.util.List;
import java.util.Random;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;

/**
 * What the workers ask for: one key that everybody wants, one with readers and writers,
 * and one that is idle from time to time, so that its node can be reaped.
 */
final class TortureKeys {

	static final String HOT = "hot";

	static final String SHARED = "shared";

	static final String COOL = "cool";

	static final List<String> ALL = List.of(HOT, SHARED, COOL);

	/** How long a request without a time to wait may take. */
	static final Duration TRY = Duration.ofMillis(500);

	private final Random random;

	TortureKeys(long seed) {
		this.random = new Random(seed);
	}

	LockRequest request() {
		int die = this.random.nextInt(100);
		LockRequest request = LockRequest.of((die < 45) ? HOT : (die < 85) ? SHARED : COOL)
			.withMode((die < 45 || die >= 85) ? LockMode.EXCLUSIVE : (die < 72) ? LockMode.READ : LockMode.WRITE)
			.withReentrant(false);
		int wait = this.random.nextInt(100);
		return request.withWait(Duration.ofMillis((wait < 15) ? 0 : (wait < 35) ? 50 : 2000));
	}

	static long boundMillis(LockRequest request) {
		return request.waitTime().isZero() ? TRY.toMillis() : request.waitTime().toMillis();
	}

	/**
	 * Return how many milliseconds to hold a lock: mostly few.
	 */
	int hold() {
		return (this.random.nextInt(10) == 0) ? this.random.nextInt(50) : this.random.nextInt(8);
	}

	int think() {
		return this.random.nextInt(25);
	}

}
