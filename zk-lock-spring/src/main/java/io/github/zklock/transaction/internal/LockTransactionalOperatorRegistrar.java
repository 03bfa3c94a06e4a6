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

package io.github.zklock.transaction.internal;

import io.github.zklock.transaction.LockTransactionalOperator;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Role;
import org.springframework.transaction.reactive.TransactionalOperator;

/**
 * Puts a {@link LockTransactionalOperator} around the operators of the application. Only
 * around Spring's operators, which cannot be injected with their class.
 *
 * @since 0.1.0
 */
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class LockTransactionalOperatorRegistrar implements BeanPostProcessor {

	private static final String SPRING = TransactionalOperator.class.getPackageName();

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean instanceof TransactionalOperator operator && bean.getClass().getPackageName().equals(SPRING))
				? LockTransactionalOperator.of(operator) : bean;
	}

}
