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

package io.github.zklock.bridge.shedlock;

import io.github.zklock.scheduling.ScheduledTaskNeed;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * What ShedLock needs of the tasks of methods with its annotation. Where it puts its lock
 * on the method, the lock is to learn of the planned run. Where ShedLock puts it on the
 * scheduler ({@code PROXY_SCHEDULER}), it knows only Spring's own task. A task within
 * another one would then run without a lock.
 *
 * @since 0.1.0
 */
public final class ShedLockTasks implements ScheduledTaskNeed {

	private static final String SCHEDULER_ADVISOR = "net.javacrumbs.shedlock.spring.aop."
			+ "SchedulerProxyScheduledLockAdvisor";

	private final ListableBeanFactory beanFactory;

	private final ScheduledLocks locks = new ScheduledLocks();

	/**
	 * Create it.
	 * @param beanFactory the beans of the application
	 */
	public ShedLockTasks(ListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	public boolean needsRun(String task) {
		return this.locks.isGuarded(task) && has(ShedLockProvider.class);
	}

	@Override
	public boolean needsTask(String task) {
		ClassLoader classLoader = ShedLockTasks.class.getClassLoader();
		return this.locks.isGuarded(task) && ClassUtils.isPresent(SCHEDULER_ADVISOR, classLoader)
				&& has(ClassUtils.resolveClassName(SCHEDULER_ADVISOR, classLoader));
	}

	private boolean has(Class<?> type) {
		return this.beanFactory.getBeanNamesForType(type, true, false).length > 0;
	}

}
