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

package io.github.zklock.autoconfigure;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.support.PackagePrivateLock;
import jakarta.annotation.PostConstruct;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.PriorityOrdered;

/**
 * Beans each of which uses the annotation in one way that cannot work.
 */
final class BadLockUsageBeans {

	private BadLockUsageBeans() {
	}

	static class PrivateMethod {

		@DistributedLock("k")
		private void run() {
		}

	}

	static class PrivateRepeated {

		@DistributedLock("a")
		@DistributedLock("b")
		private void run() {
		}

	}

	static class StaticMethod {

		@DistributedLock("k")
		static void run() {
		}

	}

	static class FinalMethod {

		@DistributedLock("k")
		final void run() {
		}

	}

	static class Elsewhere extends PackagePrivateLock {

	}

	interface Api {

		void declared();

	}

	static class UndeclaredOfApi implements Api {

		@Override
		public void declared() {
		}

		@DistributedLock("k")
		void undeclared() {
		}

	}

	static class SelfInvocation {

		void run() {
			locked();
		}

		@DistributedLock("k")
		void locked() {
		}

	}

	static class Initialization {

		@PostConstruct
		@DistributedLock("k")
		void initialize() {
		}

	}

	static class InitializingBeanMethod implements InitializingBean {

		@Override
		@DistributedLock("k")
		public void afterPropertiesSet() {
		}

	}

	static class DisposableBeanMethod implements DisposableBean {

		@Override
		@DistributedLock("k")
		public void destroy() {
		}

	}

	static class CloseableMethod implements AutoCloseable {

		@Override
		@DistributedLock("k")
		public void close() {
		}

	}

	static class NamedMethods {

		@DistributedLock("k")
		void open() {
		}

		@DistributedLock("k")
		void shut() {
		}

		@DistributedLock("k")
		void close() {
		}

	}

	@DistributedLock("k")
	static class GoodInitialization {

		@PostConstruct
		void initialize() {
		}

	}

	static class WithoutProxy {

		@DistributedLock("k")
		void run() {
		}

	}

	static class Processor implements BeanPostProcessor, PriorityOrdered, BeanFactoryAware {

		@Override
		public void setBeanFactory(BeanFactory beanFactory) {
			beanFactory.getBean(WithoutProxy.class);
		}

		@Override
		public int getOrder() {
			return HIGHEST_PRECEDENCE;
		}

	}

}
