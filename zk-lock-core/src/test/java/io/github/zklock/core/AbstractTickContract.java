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

import java.time.Instant;

import io.github.zklock.support.Refusal;

/**
 * Requests for the ticks of one job, by two processes.
 */
abstract class AbstractTickContract extends AbstractLockContract {

	static final String JOB = "com.example.Jobs.report";

	static final Instant TEN = Instant.parse("2024-10-05T10:00:00Z");

	static final Instant ELEVEN = Instant.parse("2024-10-05T11:00:00Z");

	LockRequest request(LockTick tick) {
		return request(LockMode.EXCLUSIVE, PATIENCE).withTick(tick);
	}

	LockHandle first(LockTick tick) {
		return backend().first().acquire(request(tick).withOwner("first"));
	}

	LockHandle second(LockTick tick) {
		return backend().second().acquire(request(tick).withOwner("second"));
	}

	LockNotAcquiredException refusalOf(LockTick tick) {
		return Refusal.of(() -> second(tick).release());
	}

}
