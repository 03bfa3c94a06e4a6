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

import java.util.List;
import java.util.function.Consumer;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockMode;
import io.github.zklock.interceptor.check.SelfInvocationBeans.Locked;
import io.github.zklock.interceptor.check.SelfInvocationBeans.Template;

/**
 * Beans in whose calls on themselves no lock is missing, or not certainly.
 */
final class HarmlessSelfInvocationBeans {

	private HarmlessSelfInvocationBeans() {
	}

	static class ThroughProxy extends Locked {

		private final ThroughProxy self;

		ThroughProxy(ThroughProxy self) {
			this.self = self;
		}

		void run(ThroughProxy other, List<ThroughProxy> others) {
			this.self.locked();
			other.wide(1, 2, this);
			((this.self != null) ? this.self : this).locked();
			((this.self == null) ? this : this.self).locked();
			others.forEach(Locked::locked);
			Runnable reference = this.self::locked;
			reference.run();
			Consumer<ThroughProxy> lambda = (proxy) -> proxy.locked();
			lambda.accept(other);
			new Object() {

				void call(ThroughProxy proxy) {
					proxy.locked();
				}

			}.call(other);
		}

		static void statically(ThroughProxy proxy) {
			proxy.locked();
		}

	}

	static class SameKey extends Locked {

		@DistributedLock("locked")
		void run() {
			locked();
			help();
		}

		private void help() {
			inner();
		}

		void inner() {
			locked();
		}

	}

	static class ReadUnderWrite {

		@DistributedLock(key = "k", mode = LockMode.WRITE)
		void write() {
			read();
		}

		@DistributedLock(key = "k", mode = LockMode.READ)
		void read() {
		}

	}

	static class PerhapsSameKey {

		@DistributedLock("order:#{#order.length()}")
		void order(String order) {
			id(order.length());
			whole("order:1");
			literal();
		}

		@DistributedLock("'order:' + #id")
		void id(long id) {
		}

		@DistributedLock("#id")
		void whole(String id) {
		}

		@DistributedLock("order:1")
		void literal() {
		}

	}

	static class Overriding extends Locked {

		@Override
		@DistributedLock("mine")
		public void locked() {
			super.locked();
		}

	}

	@DistributedLock("class")
	static class WholeClass {

		void first() {
			second();
		}

		void second() {
			third();
		}

		void third() {
		}

	}

	@DistributedLock("class")
	static class ReachedByClassLevelOnly extends Template<String> {

		@Override
		protected void one(String value) {
		}

	}

	static class Generic extends Template<Long> {

		@Override
		protected void one(Long value) {
		}

		@DistributedLock("other")
		void other(Long value) {
			one(value);
		}

	}

	static class GenericOverridden implements Consumer<String> {

		@Override
		@DistributedLock("accept")
		public void accept(String value) {
		}

	}

}
