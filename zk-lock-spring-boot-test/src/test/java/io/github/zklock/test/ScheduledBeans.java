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

package io.github.zklock.test;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

import io.github.zklock.annotation.DistributedLock;

import org.springframework.scheduling.annotation.Scheduled;

/**
 * Scheduled methods with and without a lock.
 */
final class ScheduledBeans {

	private ScheduledBeans() {
	}

	@Scheduled(cron = "0 0 2 * * *")
	@Retention(RetentionPolicy.RUNTIME)
	@interface Nightly {

	}

	@Scheduled(cron = "0 0 2 * * *")
	@DistributedLock("composed")
	@Retention(RetentionPolicy.RUNTIME)
	@interface NightlyOnOneNode {

	}

	interface Contract {

		@DistributedLock("contract")
		void onInterface();

	}

	@DistributedLock("interface")
	interface GuardedContract {

	}

	static class GuardedMethods implements Contract {

		@Scheduled(fixedDelay = 1_000_000)
		@DistributedLock("direct")
		void direct() {
		}

		@Nightly
		@DistributedLock("a")
		@DistributedLock("b")
		void repeated() {
		}

		@NightlyOnOneNode
		void composed() {
		}

		@Override
		@Scheduled(cron = "0 0 2 * * *")
		@Scheduled(cron = "0 0 3 * * *")
		public void onInterface() {
		}

		void notScheduled() {
		}

	}

	@DistributedLock("class")
	static class GuardedClass {

		@Nightly
		void scheduled() {
		}

	}

	static class GuardedSubclass extends GuardedClass {

		@Nightly
		void another() {
		}

	}

	static class GuardedByInterface implements GuardedContract {

		@Nightly
		void scheduled() {
		}

	}

	static class Unguarded {

		@Scheduled(fixedDelay = 1_000_000)
		void direct() {
		}

		@Nightly
		void composed() {
		}

		@Scheduled(cron = "0 0 2 * * *")
		@Scheduled(cron = "0 0 3 * * *")
		void repeated() {
		}

		@DistributedLock("other")
		void guarded() {
		}

	}

	static class Uninterceptable {

		@DistributedLock("k")
		private void isPrivate() {
		}

		@DistributedLock("k")
		final void isFinal() {
		}

		@NightlyOnOneNode
		static void isStatic() {
		}

	}

	static final class FinalClass {

		@DistributedLock("a")
		@DistributedLock("b")
		void run() {
		}

	}

}
