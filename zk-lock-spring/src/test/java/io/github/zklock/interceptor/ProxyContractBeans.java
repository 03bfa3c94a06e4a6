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

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockMode;

import org.springframework.core.annotation.AliasFor;

/**
 * The beans of the proxy contract.
 */
final class ProxyContractBeans {

	private ProxyContractBeans() {
	}

	@DistributedLock(value = "composed", mode = LockMode.READ)
	@Retention(RetentionPolicy.RUNTIME)
	@interface Guarded {

		@AliasFor(annotation = DistributedLock.class, attribute = "key")
		String on() default "composed";

		@AliasFor(annotation = DistributedLock.class, attribute = "waitMs")
		long patience() default 3;

	}

	interface Inherited {

		void inherited();

	}

	interface Task<T> extends Inherited {

		void direct();

		void composed();

		void composedWithAttributes();

		void repeated();

		void several(List<String> ids);

		@DistributedLock("interface")
		void onInterface();

		@DistributedLock("interface:#{#named}")
		void namedOnInterface(String named);

		@DistributedLock("hidden")
		void onBoth();

		@DistributedLock("overridden")
		void generic(T value);

		void free();

	}

	static class BaseTask implements Inherited {

		final LockEvents events;

		BaseTask(LockEvents events) {
			this.events = events;
		}

		@Override
		@DistributedLock("inherited")
		public void inherited() {
			this.events.add("body");
		}

	}

	static class OverridingTask extends BaseTask {

		OverridingTask(LockEvents events) {
			super(events);
		}

		@Override
		public void inherited() {
			this.events.add("overriding");
		}

	}

	static class Hidden {

		final LockEvents events;

		Hidden(LockEvents events) {
			this.events = events;
		}

		@DistributedLock("protected")
		protected void isProtected() {
			this.events.add("body");
		}

		@DistributedLock("package-private")
		void isPackagePrivate() {
			this.events.add("body");
		}

	}

	static class MethodLevel extends BaseTask implements Task<Long> {

		MethodLevel(LockEvents events) {
			super(events);
		}

		@Override
		@DistributedLock("direct")
		public void direct() {
			this.events.add("body");
		}

		@Override
		@Guarded
		public void composed() {
			this.events.add("body");
		}

		@Override
		@Guarded(on = "aliased", patience = 5)
		public void composedWithAttributes() {
			this.events.add("body");
		}

		@Override
		@DistributedLock("second")
		@DistributedLock("first")
		public void repeated() {
			this.events.add("body");
		}

		@Override
		@DistributedLock("#ids")
		public void several(List<String> ids) {
			this.events.add("body");
		}

		@Override
		public void onInterface() {
			this.events.add("body");
		}

		@Override
		public void namedOnInterface(String other) {
			this.events.add("body");
		}

		@Override
		@DistributedLock("method")
		public void onBoth() {
			this.events.add("body");
		}

		@Override
		@DistributedLock("generic:#{#value}")
		public void generic(Long value) {
			this.events.add("body");
		}

		@Override
		public void free() {
			this.events.add("body");
		}

	}

}
