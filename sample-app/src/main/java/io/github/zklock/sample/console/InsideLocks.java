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

import io.github.zklock.core.LockHandle;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.jspecify.annotations.Nullable;

/**
 * Sees the calls of the price list inside their locks, since an aspect without an order
 * comes after the lock.
 */
@Aspect
class InsideLocks {

	private final Together together;

	InsideLocks(Together together) {
		this.together = together;
	}

	@Around("bean(priceCache) && @annotation(io.github.zklock.annotation.DistributedLock)")
	@Nullable Object enter(ProceedingJoinPoint call) throws Throwable {
		LockHandle lock = LockHandle.current();
		Runnable leave = this.together.enter(lock.key(), lock.mode());
		try {
			return call.proceed();
		}
		finally {
			leave.run();
		}
	}

}
