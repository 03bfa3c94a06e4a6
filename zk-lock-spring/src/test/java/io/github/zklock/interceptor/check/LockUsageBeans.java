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

package io.github.zklock.interceptor.check;

import io.github.zklock.annotation.DistributedLock;

/**
 * Beans with locks that a proxy would not take.
 */
final class LockUsageBeans {

	private LockUsageBeans() {
	}

	static class PrivateMethod {

		@DistributedLock("k")
		private void run() {
		}

		void call() {
			run();
		}

	}

	static class FinalMethod {

		@DistributedLock("k")
		final void run() {
		}

	}

	@DistributedLock("k")
	static class FinalMethodOfClassLevel {

		final void run() {
		}

	}

	static final class FinalClass {

		@DistributedLock("k")
		void run() {
		}

	}

	static class TwoMistakes {

		@DistributedLock("k")
		final void first() {
		}

		@DistributedLock("#nothing")
		void second() {
		}

	}

	interface Api {

		void declared();

	}

	static class ApiBean implements Api {

		@Override
		@DistributedLock("k")
		public void declared() {
		}

		@DistributedLock("k")
		void undeclared() {
		}

	}

	static class FinalOfApi implements Api {

		@Override
		@DistributedLock("k")
		public final void declared() {
		}

	}

	@DistributedLock("k")
	static class Good implements Api {

		@Override
		public final String toString() {
			return "good";
		}

		@Override
		public void declared() {
			helper();
			other();
		}

		private void helper() {
		}

		static void other() {
		}

	}

	static class Unlocked {

		final void run() {
		}

	}

}
