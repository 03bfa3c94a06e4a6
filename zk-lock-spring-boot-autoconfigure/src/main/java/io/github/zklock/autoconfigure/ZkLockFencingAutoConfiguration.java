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

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import io.github.zklock.fencing.DatabaseFences;
import io.github.zklock.fencing.FenceSettings;
import io.github.zklock.fencing.FencedMethodAdvisor;
import io.github.zklock.fencing.FencedMethodInterceptor;
import io.github.zklock.fencing.FencedMethods;
import io.github.zklock.fencing.FencedUsageCheck;
import io.github.zklock.interceptor.BeanFactoryLockOperationSourceAdvisor;
import io.github.zklock.interceptor.source.LockOperationSource;
import io.github.zklock.transaction.FencedTransactions;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;

import org.springframework.aop.Advisor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.SimpleAutowireCandidateResolver;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
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
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class ZkLockFencingAutoConfiguration {

	private static final String INTERCEPTOR = "zkLockFencedMethodInterceptor";

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static FencedMethods zkLockFencedMethods(LockOperationSource source) {
		return new FencedMethods(source);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static FencedMethodAdvisor zkLockFencedMethodAdvisor(FencedMethods methods,
			ObjectProvider<BeanFactoryLockOperationSourceAdvisor> locks) {
		FencedMethodAdvisor advisor = new FencedMethodAdvisor(methods);
		advisor.setAdviceBeanName(INTERCEPTOR);
		int order = locks.orderedStream()
			.mapToInt(BeanFactoryLockOperationSourceAdvisor::getOrder)
			.max()
			.orElse(ZkLockProperties.Aop.DEFAULT_ORDER);
		advisor.setOrder((order < Integer.MAX_VALUE) ? order + 1 : order);
		return advisor;
	}

	@Bean(INTERCEPTOR)
	@Lazy
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	FencedMethodInterceptor zkLockFencedMethodInterceptor(FencedMethods methods,
			ObjectProvider<DatabaseFences> transactions) {
		return new FencedMethodInterceptor(methods, transactions::getObject);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	FencedUsageCheck zkLockFencedUsageCheck(ConfigurableListableBeanFactory beanFactory, FencedMethods methods,
			ObjectProvider<DatabaseFences> transactions, ZkLockProperties properties) {
		return new FencedUsageCheck(beanFactory, methods, transactions::getObject, properties.aop().validation(),
				() -> FenceLockSpaces.requireDistinct(created(beanFactory)));
	}

	// A child context raises its fences in its own database. Fences that the parent has
	// replaced win.
	@Bean
	@Lazy
	@Fallback
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	DatabaseFences zkLockFencedTransactions(ConfigurableListableBeanFactory beanFactory, ZkLockProperties properties,
			ObjectProvider<FencedTransactions.Listener> listeners) {
		String others = ((properties.namespace() != null) ? "/" + properties.namespace() : "") + properties.root();
		ZkLockProperties.Fencing fencing = properties.fencing();
		FenceLockSpaces spaces = new FenceLockSpaces(() -> providers(beanFactory), others);
		FenceSettings settings = FenceSettings.of(spaces)
			.withKeys(spaces::key)
			.withTimeout(fencing.timeout())
			.withCheckSql(fencing.checkSql());
		FenceInitializer tables = beanFactory.getBeanProvider(FenceInitializer.class).getIfAvailable();
		Supplier<List<FencedTransactions.Listener>> all = () -> listeners.orderedStream().toList();
		return new DatabaseFences((name) -> dataSource(name, fencing, beanFactory),
				(tables != null) ? settings.withInitializer(tables) : settings, all);
	}

	private static Map<String, ZooKeeperLockProvider> providers(ConfigurableListableBeanFactory beanFactory) {
		return SimpleAutowireCandidateResolver.resolveAutowireCandidates(beanFactory, ZooKeeperLockProvider.class,
				false, true);
	}

	// A lazy provider is checked when its first fence is raised.
	private static Map<String, ZooKeeperLockProvider> created(ConfigurableListableBeanFactory beanFactory) {
		return Arrays.stream(beanFactory.getBeanNamesForType(ZooKeeperLockProvider.class, false, false))
			.filter(beanFactory::containsSingleton)
			.collect(Collectors.toMap(Function.identity(),
					(name) -> beanFactory.getBean(name, ZooKeeperLockProvider.class)));
	}

	private static DataSource dataSource(String name, ZkLockProperties.Fencing properties, BeanFactory beanFactory) {
		String named = name.isEmpty() ? properties.dataSource() : name;
		return (named != null && !named.isEmpty()) ? beanFactory.getBean(named, DataSource.class)
				: beanFactory.getBean(DataSource.class);
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
