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

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockMode;

/**
 * Beans that call a guarded method of theirs without its lock.
 */
final class SelfInvocationBeans {

	private SelfInvocationBeans() {
	}

	static class Locked {

		@DistributedLock("locked")
		void locked() {
		}

		@DistributedLock("wide")
		long wide(long first, double second, Object third) {
			return first;
		}

	}

	static class Unqualified extends Locked {

		void run() {
			locked();
		}

	}

	static class Copied extends Locked {

		void run() {
			Copied copy = this;
			copy.locked();
		}

	}

	static class Constructor extends Locked {

		Constructor() {
			locked();
		}

	}

	static class Wide extends Locked {

		long run(List<Long> values, boolean odd) {
			long total = 0;
			for (long value : values) {
				total += this.wide(odd ? value * 2 : total - value, (value > 3) ? 1.5 / total : Math.pow(total, 2),
						switch ((int) value) {
							case 1 -> new long[] { value, total };
							case 2 -> (Runnable) () -> values.forEach(List::of);
							default -> new double[2][3];
						});
			}
			return total;
		}

	}

	static class Helper extends Locked {

		void run() {
			help("x");
		}

		private void help(String text) {
			try {
				if (text.isEmpty()) {
					throw new IllegalStateException(text);
				}
			}
			catch (IllegalStateException ex) {
				this.locked();
			}
		}

	}

	static class Lambda extends Locked {

		void run(double second, List<String> values) {
			values.forEach((value) -> values.forEach((other) -> wide(1, second, value + other)));
		}

	}

	static class Reference extends Locked {

		Runnable run() {
			return this::locked;
		}

	}

	static class Anonymous extends Locked {

		Runnable run() {
			return new Runnable() {

				@Override
				public void run() {
					locked();
				}

			};
		}

	}

	abstract static class Template<T> {

		final void all(T value) {
			one(value);
		}

		protected abstract void one(T value);

	}

	static class Templated extends Template<Long> {

		@Override
		@DistributedLock("one")
		protected void one(Long value) {
		}

	}

	interface WithDefault {

		default void run() {
			step();
		}

		@DistributedLock("step")
		void step();

	}

	interface MoreDefault extends WithDefault {

	}

	static class Defaulted implements MoreDefault {

		@Override
		public void step() {
		}

	}

	static class OtherKey extends Locked {

		@DistributedLock("other")
		void run() {
			locked();
		}

	}

	static class OtherBeginning {

		@DistributedLock("order:#{#id}")
		void order(long id) {
			customer(id);
		}

		@DistributedLock("'customer:' + #id")
		void customer(long id) {
		}

	}

	static class WriteUnderRead {

		@DistributedLock(key = "#id", mode = LockMode.READ)
		void read(long id) {
			write(id);
		}

		@DistributedLock(key = "#id", mode = LockMode.WRITE)
		void write(long id) {
		}

	}

	static class OfTwo {

		@DistributedLock("first")
		void run() {
			both();
		}

		@DistributedLock("first")
		@DistributedLock("second")
		void both() {
		}

	}

	static class NobodyCalls extends Locked {

		private void initialize() {
			locked();
		}

	}

	static class PublicHelper extends Locked implements Runnable {

		@Override
		public void run() {
			locked();
		}

		@DistributedLock("locked")
		void guarded() {
			run();
		}

	}

	@DistributedLock("class")
	static class ClassLevelTemplate extends Template<String> {

		@Override
		public void one(String value) {
		}

	}

}
