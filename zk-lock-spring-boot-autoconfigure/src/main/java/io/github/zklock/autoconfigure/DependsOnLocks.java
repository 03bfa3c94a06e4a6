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

import java.util.concurrent.Executor;

import io.github.zklock.core.spi.LockProvider;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AbstractDependsOnBeanFactoryPostProcessor;
import org.springframework.scheduling.TaskScheduler;

/**
 * Makes the beans of a type depend on the locks, so that they are destroyed first. An
 * executor that awaits its tasks does so when it is destroyed, and these tasks may hold
 * locks.
 */
final class DependsOnLocks extends AbstractDependsOnBeanFactoryPostProcessor {

	private DependsOnLocks(Class<?> type) {
		super(type, LockProvider.class);
	}

	/**
	 * Return what cares for executors and for schedulers, which need not be executors.
	 * @return the post-processor
	 */
	static BeanFactoryPostProcessor ofExecutors() {
		DependsOnLocks executors = new DependsOnLocks(Executor.class);
		DependsOnLocks schedulers = new DependsOnLocks(TaskScheduler.class);
		return (beanFactory) -> {
			executors.postProcessBeanFactory(beanFactory);
			schedulers.postProcessBeanFactory(beanFactory);
		};
	}

}
