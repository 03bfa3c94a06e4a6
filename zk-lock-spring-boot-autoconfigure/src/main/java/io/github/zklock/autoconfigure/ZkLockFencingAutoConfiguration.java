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
import java.util.Locale;
import java.util.function.BiConsumer;

import javax.sql.DataSource;

import io.github.zklock.config.FenceOptions;
import io.github.zklock.config.FencingConfiguration;
import io.github.zklock.fencing.FenceSettings;
import io.github.zklock.interceptor.source.LockOperationSource;
import io.github.zklock.transaction.FencedTransactions;

import org.springframework.aop.Advisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Auto-configuration for {@code @Fenced}: transactions of a relational database that
 * cannot commit after a later holder of their lock has begun.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ZkLockAopAutoConfiguration.class,
		afterName = { "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
				"org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration" })
@ConditionalOnClass({ JdbcTemplate.class, TransactionExecutionListener.class, Advisor.class, DataSource.class })
@ConditionalOnBean({ DataSource.class, LockOperationSource.class })
@ConditionalOnBooleanProperty(name = "zk-lock.enabled", matchIfMissing = true)
@Import(FencingConfiguration.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class ZkLockFencingAutoConfiguration {

	// Lazy, so that only an application with a fenced method reads the properties of its
	// database.
	@Bean
	@Lazy
	FenceOptions zkLockFenceOptions(ZkLockProperties properties, ObjectProvider<FenceInitializer> initializers) {
		ZkLockProperties.Fencing fencing = properties.fencing();
		String dataSource = (fencing.dataSource() != null) ? fencing.dataSource() : FencedTransactions.DEFAULT;
		String others = ((properties.namespace() != null) ? "/" + properties.namespace() : "") + properties.root();
		FenceInitializer tables = initializers.getIfAvailable();
		return new FenceOptions(dataSource, others, (settings) -> {
			FenceSettings changed = settings.withTimeout(fencing.timeout()).withCheckSql(fencing.checkSql());
			return (tables != null) ? changed.withInitializer(tables) : changed;
		});
	}

	/**
	 * What creates the table, as Spring Boot does it for Spring Session.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DataSourceScriptDatabaseInitializer.class)
	static class Schema {

		@Bean
		@Lazy
		FenceInitializer zkLockFenceInitializer(ZkLockProperties properties) {
			DatabaseInitializationMode mode = DatabaseInitializationMode
				.valueOf(properties.fencing().initializeSchema().name().toUpperCase(Locale.ROOT));
			return (dataSource, script) -> {
				DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
				settings.setMode(mode);
				settings.setSchemaLocations(List.of("classpath:" + script));
				new DataSourceScriptDatabaseInitializer(dataSource, settings).initializeDatabase();
			};
		}

	}

	/**
	 * Creates the table of a database with a script.
	 */
	interface FenceInitializer extends BiConsumer<DataSource, String> {

	}

}
