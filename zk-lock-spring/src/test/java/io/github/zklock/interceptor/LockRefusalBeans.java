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

package io.github.zklock.interceptor;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.NotAcquiredPolicy;
import io.github.zklock.core.UnavailablePolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.annotation.Scheduled;

/**
 * Methods that say what happens without their lock, and methods that do not.
 */
final class LockRefusalBeans {

	private LockRefusalBeans() {
	}

	static class Base {

		private String busy(int id, Callable<String> body, LockNotAcquiredException refusal) throws IOException {
			if (id < 0) {
				throw new IOException("busy");
			}
			String self = (getClass() == Orders.class) ? "target" : "proxy";
			return "busy " + id + " " + self + " " + refusal.getClass().getSimpleName();
		}

	}

	static class Orders extends Base {

		@DistributedLock(key = "order", waitMs = 0, fallbackMethod = "busy")
		String place(int id, Callable<String> body) throws Exception {
			return body.call();
		}

		@DistributedLock(key = "once", waitMs = 0, onNotAcquired = NotAcquiredPolicy.SKIP)
		@Nullable String tryOnce(Callable<String> body) throws Exception {
			return body.call();
		}

		@DistributedLock(key = "once", waitMs = 0, onNotAcquired = NotAcquiredPolicy.THROW)
		String strict(Callable<String> body) throws Exception {
			return body.call();
		}

		@DistributedLock(key = "find", waitMs = 0, onUnavailable = UnavailablePolicy.SKIP)
		Optional<String> find(Callable<String> body) throws Exception {
			return Optional.ofNullable(body.call());
		}

		@Scheduled(fixedDelay = 1000)
		@DistributedLock("tick")
		void tick() {
			throw new AssertionError("ran");
		}

		@DistributedLock(key = "once", waitMs = 0, fallbackMethod = "noCount")
		int count() {
			return 1;
		}

		@Nullable Integer noCount() {
			return null;
		}

	}

}
