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
import io.github.zklock.interceptor.check.SelfInvocationBeans.Defaulted;
import io.github.zklock.interceptor.check.SelfInvocationBeans.Locked;

/**
 * Beans in which it takes more than one look to see that a method calls a guarded one
 * without its lock.
 */
final class SelfDispatchBeans {

	private SelfDispatchBeans() {
	}

	static class Recursive extends Locked {

		void run() {
			again(3);
		}

		private void again(int times) {
			if (times > 0) {
				again(times - 1);
			}
			locked();
		}

	}

	static class Behind extends Locked {

		void run() {
			guarded();
		}

		@DistributedLock("locked")
		void guarded() {
			locked();
		}

	}

	static class NamedTwice extends Locked {

		void run() {
			locked();
			((Locked) this).locked();
		}

	}

	abstract static class Caster {

		void run() {
			((Cast) this).locked();
		}

	}

	static class Cast extends Caster {

		@DistributedLock("locked")
		void locked() {
		}

	}

	static class Beginning {

		Beginning() {
			begin();
		}

		void begin() {
		}

	}

	static class Begun extends Beginning {

		@Override
		@DistributedLock("begin")
		void begin() {
		}

	}

	static class DefaultedBelow extends Defaulted {

	}

	static class Initializer extends Locked {

		final Runnable field = new Runnable() {

			@Override
			public void run() {
				locked();
			}

		};

	}

	interface WithConstant {

		Object CONSTANT = new Object() {
		};

		default void run() {
			step();
		}

		void step();

	}

	static class OfConstant implements WithConstant {

		@Override
		@DistributedLock("step")
		public void step() {
		}

	}

	interface Step {

		void step();

	}

	interface GuardedStep extends Step {

		@Override
		@DistributedLock("step")
		default void step() {
		}

	}

	static class OfTwoInterfaces implements Step, GuardedStep {

		void run() {
			step();
		}

	}

	static class Grandparent extends Locked {

		void help() {
			locked();
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

}
