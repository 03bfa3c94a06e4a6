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

import java.util.UUID;

import javax.sql.DataSource;

import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * The neighbours of the lock around a method, as an application enables them.
 */
@Configuration(proxyBeanMethods = false)
@EnableTransactionManagement
@EnableCaching
@EnableAsync
@EnableScheduling
@EnableMethodSecurity
class ProxyContractFeatures {

	@Bean
	DataSource dataSource() {
		return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID());
	}

	@Bean
	PlatformTransactionManager transactionManager(DataSource dataSource, LockEvents events) {
		return new RecordingTransactionManager(dataSource, events);
	}

	@Bean
	CacheManager cacheManager() {
		return new ConcurrentMapCacheManager();
	}

	@Bean
	TaskExecutor taskExecutor() {
		return new SimpleAsyncTaskExecutor("async-");
	}

	@SuppressWarnings("serial")
	static final class RecordingTransactionManager extends JdbcTransactionManager {

		private final LockEvents events;

		RecordingTransactionManager(DataSource dataSource, LockEvents events) {
			super(dataSource);
			this.events = events;
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			this.events.add("tx-begin");
			super.doBegin(transaction, definition);
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			super.doCommit(status);
			this.events.add("tx-commit");
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			super.doRollback(status);
			this.events.add("tx-rollback");
		}

	}

}
