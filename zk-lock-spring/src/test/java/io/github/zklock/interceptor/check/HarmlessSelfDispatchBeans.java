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

import java.util.AbstractList;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockMode;
import io.github.zklock.interceptor.check.SelfInvocationBeans.Locked;
import io.github.zklock.interceptor.check.SelfInvocationBeans.Unqualified;

/**
 * Beans whose calls only look like calls of a guarded method without its lock.
 */
class HarmlessSelfDispatchBeans {

	void locked() {
	}

	class OfOuter {

		void run() {
			HarmlessSelfDispatchBeans.this.locked();
		}

		@DistributedLock("locked")
		void locked() {
		}

	}

	static class OfAnonymous extends Locked {

		void run(OfAnonymous proxy) {
			new Object() {

				void call() {
					locked();
					proxy.locked();
				}

				void locked() {
				}

			}.call();
		}

	}

	static class ReadUnderRead {

		@DistributedLock(key = "k", mode = LockMode.READ)
		void outer() {
			inner();
		}

		@DistributedLock(key = "k", mode = LockMode.READ)
		void inner() {
		}

	}

	@DistributedLock("class")
	static class UnderClassLevel {

		void run() {
			inner();
		}

		@DistributedLock("class")
		void inner() {
		}

	}

	@DistributedLock("class")
	static class MeantForInside {

		@DistributedLock("other")
		void run() {
			help();
		}

		void help() {
		}

	}

	static class NeverCallsSuper extends Unqualified {

		@Override
		@DistributedLock("locked")
		void run() {
		}

	}

	static class WithPrivate {

		void run() {
			help();
		}

		private void help() {
		}

	}

	static class SameNameAsPrivate extends WithPrivate {

		@DistributedLock("help")
		void help() {
		}

	}

	static class Grandparent {

		void help() {
		}

	}

	static class Parent extends Grandparent {

	}

	static class Child extends Parent {

		void run() {
			super.help();
		}

		@Override
		@DistributedLock("help")
		void help() {
		}

	}

	static class OfJdk extends AbstractList<String> {

		@Override
		@DistributedLock("add")
		public void add(int index, String value) {
		}

		@Override
		public String get(int index) {
			return "";
		}

		@Override
		public int size() {
			return 0;
		}

	}

}
