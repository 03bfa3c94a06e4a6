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

package io.github.zklock.core;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LockMessageTests {

	@Test
	void namesTheLockTheTimeAndTheHolder() {
		LockRequest request = LockRequest.of("orders:42").withMode(LockMode.WRITE).withWait(Duration.ofSeconds(5));
		LockHolder holder = new LockHolder("app", "app-7", "host-3", 4711, "main", "orders", Duration.ofSeconds(2));
		assertThat(new LockNotAcquiredException(request, Duration.ofSeconds(5), holder))
			.hasMessage("Lock 'orders:42' (WRITE) not acquired within 5s; held by app-7 (host-3, pid 4711) since 2s");
	}

	@Test
	void keyCannotForgeALineOfALog() {
		LockRequest request = LockRequest.of("a\n12:00 ERROR forged\u0000").withWait(Duration.ZERO);
		assertThat(new LockNotAcquiredException(request, Duration.ZERO, null))
			.hasMessage("Lock 'a?12:00 ERROR forged?' (EXCLUSIVE) not acquired at once");
	}

	@Test
	void longKeyIsShortened() {
		LockRequest request = LockRequest.of("k".repeat(1000)).withWait(Duration.ZERO);
		assertThat(new LockNotAcquiredException(request, Duration.ZERO, null))
			.hasMessage("Lock '" + "k".repeat(100) + "...' (EXCLUSIVE) not acquired at once");
	}

}
