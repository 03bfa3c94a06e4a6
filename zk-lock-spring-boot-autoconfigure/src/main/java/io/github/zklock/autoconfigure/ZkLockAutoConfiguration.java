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

import java.util.List;

import io.github.zklock.config.LockTemplateConfiguration;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockJobs;
import io.github.zklock.core.LockLimits;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.internal.NoOpLockJobs;
import io.github.zklock.core.internal.NoOpLockProvider;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.transaction.FencedTransactions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Auto-configuration for distributed locks: a client for ZooKeeper unless the application
 * has one, a {@link LockProvider} on it, and a {@link LockTemplate}. With
 * {@code zk-lock.enabled=false} there is no client, and the template takes its locks from
 * a {@link NoOpLockProvider}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = "org.springframework.cloud.zookeeper.ZookeeperAutoConfiguration")
@Import({ PropertiesConfiguration.class, ZooKeeperLockConfiguration.class, LockTemplateConfiguration.class,
		SanitizingConfiguration.class })
public final class ZkLockAutoConfiguration {

	/**
	 * What an application gets in the place of locks that are turned off, so that it
	 * starts and runs as with them.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "zk-lock.enabled", havingValue = false)
	static class Disabled {

		private static final Logger logger = LoggerFactory.getLogger(ZkLockAutoConfiguration.class);

		// The name of the other one, which health groups may use.
		@Bean
		@ConditionalOnMissingBean(LockProvider.class)
		NoOpLockProvider zkLockProvider() {
			return new NoOpLockProvider();
		}

		// Not on a provider of the application, and without listeners: nothing is locked.
		@Bean
		@ConditionalOnMissingBean(LockOperations.class)
		LockTemplate zkLockTemplate(ObjectProvider<LockLimits> limits) {
			logger.warn("Locks are turned off by zk-lock.enabled=false: methods with @DistributedLock and callers of "
					+ "LockOperations run at once and exclude no other caller");
			return new LockTemplate(new NoOpLockProvider(), List::of, limits.getIfAvailable(() -> LockLimits.DEFAULT),
					null);
		}

		@Bean
		@ConditionalOnMissingBean(LockJobs.class)
		NoOpLockJobs zkLockJobs() {
			return new NoOpLockJobs();
		}

		/**
		 * Fences that neither raise nor check anything.
		 */
		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass(TransactionExecutionListener.class)
		static class Fences {

			@Bean
			@ConditionalOnMissingBean(FencedTransactions.class)
			FencedTransactions zkLockFencedTransactions() {
				return new FencedTransactions() {

					@Override
					public void raise(LockHandle handle, String dataSource) {
					}

					@Override
					public void beforeCommit(TransactionExecution transaction, List<LockHandle> locks) {
					}

				};
			}

		}

	}

}
