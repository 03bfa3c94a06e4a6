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

/**
 * The beans of the proxy contract whose classes and interfaces are annotated.
 */
final class ProxyContractTypes {

	private ProxyContractTypes() {
	}

	interface Whole {

		void first();

		void own();

		@Override
		String toString();

	}

	interface Part {

		void second();

	}

	@DistributedLock("class")
	static class ClassLevel implements Whole {

		final LockEvents events;

		ClassLevel(LockEvents events) {
			this.events = events;
		}

		@Override
		public void first() {
			this.events.add("body");
		}

		@Override
		@DistributedLock("own")
		public void own() {
			this.events.add("body");
		}

		@Override
		public String toString() {
			this.events.add("toString");
			return "whole";
		}

	}

	static class SubOfClassLevel extends ClassLevel implements Part {

		SubOfClassLevel(LockEvents events) {
			super(events);
		}

		@Override
		public void second() {
			this.events.add("body");
		}

	}

	@DistributedLock("interface-level")
	interface GuardedContract {

		void run();

	}

	static class InterfaceLevel implements GuardedContract {

		private final LockEvents events;

		InterfaceLevel(LockEvents events) {
			this.events = events;
		}

		@Override
		public void run() {
			this.events.add("body");
		}

	}

}
