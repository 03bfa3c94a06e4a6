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

package io.github.zklock.config;

import io.github.zklock.transaction.commit.LockCommitAdvisor;
import io.github.zklock.transaction.internal.LockTransactionalOperatorRegistrar;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.transaction.interceptor.TransactionAttributeSource;

/**
 * What reactive transactions need, which do not belong to a thread.
 *
 * @since 0.1.0
 */
@Configuration(proxyBeanMethods = false)
@Import(LockTransactionalOperatorRegistrar.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class ReactiveTransactionConfiguration {

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LockCommitAdvisor zkLockOuterCommitAdvisor(ObjectProvider<TransactionAttributeSource> transactions) {
		return LockCommitAdvisor.outside(transactions::getIfUnique);
	}

	// After the advice of the transactions, and so within it.
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LockCommitAdvisor zkLockInnerCommitAdvisor(ObjectProvider<TransactionAttributeSource> transactions) {
		return LockCommitAdvisor.inside(transactions::getIfUnique);
	}

}
