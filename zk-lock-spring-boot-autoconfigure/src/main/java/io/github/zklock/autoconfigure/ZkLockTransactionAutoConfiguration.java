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

import io.github.zklock.config.ReactiveTransactionConfiguration;
import io.github.zklock.transaction.LockCommitListener;
import io.github.zklock.transaction.internal.LockCommitListenerRegistrar;
import reactor.core.publisher.Mono;

import org.springframework.aop.Advisor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Auto-configuration for transactions under locks: none commits under a lock that is not
 * known to be held.
 *
 * @since 0.1.0
 * @see LockCommitListener
 */
@AutoConfiguration(afterName = { "org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration",
		"org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration" })
@ConditionalOnClass(TransactionExecutionListener.class)
@ConditionalOnBooleanProperty(name = "zk-lock.enabled", matchIfMissing = true)
@Import(LockCommitListenerRegistrar.class)
public final class ZkLockTransactionAutoConfiguration {

	/**
	 * What reactive transactions need, which do not belong to a thread.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ ReactiveTransactionManager.class, Mono.class, Advisor.class })
	@Import(ReactiveTransactionConfiguration.class)
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static class Reactive {

	}

}
