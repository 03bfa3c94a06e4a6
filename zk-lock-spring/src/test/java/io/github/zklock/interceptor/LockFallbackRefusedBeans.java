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

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.NotAcquiredPolicy;

/**
 * Methods with fallback methods that cannot be found.
 */
final class LockFallbackRefusedBeans {

	private LockFallbackRefusedBeans() {
	}

	static class Refused {

		@DistributedLock(key = "k", fallbackMethod = "mising")
		String missing(int id) {
			return "ran";
		}

		@DistributedLock(key = "k", fallbackMethod = "parametersInstead")
		String parameters(int id) {
			return "ran";
		}

		String parametersInstead(String id) {
			return "instead";
		}

		String parametersInstead(int id, RuntimeException refusal) {
			return "instead";
		}

		@DistributedLock(key = "k", fallbackMethod = "returnsInstead")
		String returns(int id) {
			return "ran";
		}

		Object returnsInstead(int id) {
			return "instead";
		}

		@DistributedLock(key = "k", fallbackMethod = "nothingInstead")
		void nothing() {
		}

		String nothingInstead() {
			return "instead";
		}

		@DistributedLock(key = "k", fallbackMethod = "emptyInstead")
		Object something() {
			return "ran";
		}

		void emptyInstead() {
		}

		@DistributedLock(key = "k", fallbackMethod = "itself")
		String itself(int id) {
			return "ran";
		}

		@DistributedLock(key = "k", fallbackMethod = "either")
		String ambiguous(Integer first, Integer second) {
			return "ran";
		}

		String either(Number first, Integer second) {
			return "first";
		}

		String either(Integer first, Number second) {
			return "second";
		}

		@DistributedLock(key = "k", fallbackMethod = "locked")
		String guarded(int id) {
			return "ran";
		}

		@DistributedLock("k")
		String locked(int id) {
			return "instead";
		}

		@DistributedLock(key = "k", fallbackMethod = "parametersInstead", onNotAcquired = NotAcquiredPolicy.SKIP)
		String skipped(String id) {
			return "ran";
		}

		@DistributedLock(key = "k", fallbackMethod = "others::instead")
		String ofABean(int id) {
			return "ran";
		}

	}

}
