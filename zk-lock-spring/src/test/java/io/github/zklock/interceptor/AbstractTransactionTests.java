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

import io.github.zklock.interceptor.TransactionBoundBeans.Locked;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the tests with transactions share.
 */
abstract class AbstractTransactionTests {

	@AutoClose
	final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(
			ProxyContractFeatures.class, LockTestConfiguration.class, TransactionBoundBeans.class);

	final LockEvents events = this.context.getBean(LockEvents.class);

	final Locked locked = this.context.getBean(Locked.class);

	final InMemoryLockProvider provider = this.context.getBean(InMemoryLockProvider.class);

	@AfterEach
	void leavesNothingBehind() {
		assertThat(this.provider.keysInUse()).isZero();
		assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
	}

	void inTransaction(Runnable body) {
		template("transactionManager", TransactionDefinition.PROPAGATION_REQUIRED)
			.executeWithoutResult((status) -> body.run());
	}

	TransactionTemplate template(String manager, int propagation) {
		TransactionTemplate template = new TransactionTemplate(
				this.context.getBean(manager, PlatformTransactionManager.class));
		template.setPropagationBehavior(propagation);
		return template;
	}

}
