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

import java.util.function.Supplier;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockNotAcquiredException;

import org.springframework.scheduling.annotation.Scheduled;

/**
 * Methods with fallback methods that are found.
 */
final class LockFallbackBeans {

	private LockFallbackBeans() {
	}

	static class FoundBase {

		protected String instead(int id) {
			return "instead";
		}

		String own(int id) {
			return "base";
		}

	}

	static class Found extends FoundBase {

		@DistributedLock(key = "k", fallbackMethod = "sameInstead")
		String same(int id) {
			return "ran";
		}

		private String sameInstead(int id) {
			return "instead";
		}

		@Override
		@DistributedLock(key = "k", fallbackMethod = "own")
		String own(int id) {
			return "ran";
		}

		String own(int id, LockException refusal) {
			return "instead";
		}

		@DistributedLock(key = "k", fallbackMethod = "refusedInstead")
		Object refused(Integer id) {
			return "ran";
		}

		String refusedInstead(Number id, LockNotAcquiredException refusal) {
			return "instead";
		}

		@DistributedLock(key = "k", fallbackMethod = "widerInstead")
		Number wider(Long id) {
			return id;
		}

		Integer widerInstead(Number id) {
			return -1;
		}

		@DistributedLock(key = "k", fallbackMethod = "instead")
		String inherited(int id) {
			return "ran";
		}

		@Scheduled(fixedDelay = 1000)
		@DistributedLock(key = "k", fallbackMethod = "tock")
		void tick() {
		}

		private void tock() {
		}

	}

	static class TypedBase<T> {

		@DistributedLock(key = "k", fallbackMethod = "typed")
		T generic(Supplier<T> supplier, T value) {
			return value;
		}

	}

	static class Typed extends TypedBase<String> {

		private String typed(Supplier<String> supplier, String value) {
			return value;
		}

	}

}
