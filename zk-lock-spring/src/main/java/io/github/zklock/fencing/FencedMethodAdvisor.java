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

package io.github.zklock.fencing;

import io.github.zklock.interceptor.BeanFactoryLockOperationSourceAdvisor;

import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractBeanFactoryPointcutAdvisor;

/**
 * Connects the fenced methods with the {@link FencedMethodInterceptor} bean. It has to
 * come right after the lock, and before a transaction.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public final class FencedMethodAdvisor extends AbstractBeanFactoryPointcutAdvisor {

	private final transient Pointcut pointcut;

	/**
	 * Create the advisor.
	 * @param methods which methods are fenced
	 */
	public FencedMethodAdvisor(FencedMethods methods) {
		this.pointcut = BeanFactoryLockOperationSourceAdvisor.pointcut(methods::isCandidateClass,
				(method, type) -> methods.find(method, type) != null);
	}

	@Override
	public Pointcut getPointcut() {
		return this.pointcut;
	}

}
