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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import io.github.zklock.core.LockProvider;
import io.github.zklock.interceptor.source.LockOperationSource;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.TaskScheduler;

/**
 * Locks on ZooKeeper, unless the application has locks of its own.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "zk-lock.enabled", matchIfMissing = true)
@ConditionalOnClass({ CuratorFramework.class, ZooKeeper.class })
@ConditionalOnMissingBean(LockProvider.class)
@Import({ LockTraceConfiguration.class, NamedLockClientsRegistrar.class })
class ZooKeeperLockConfiguration {

	private static final String OWN_CLIENT = "zkLockCuratorFramework";

	private static final String SERVERS = "zk-lock.connect-string";

	private static final String OWN_CLIENT_REMEDY = "set '" + SERVERS + "', so that locks get a client of their own";

	private static final String EXECUTORS_FIRST = "zk-lock.executors-depend-on-client";

	@Bean
	@ConditionalOnMissingBean(ZkLockConnectionDetails.class)
	PropertiesZkLockConnectionDetails zkLockConnectionDetails(ZkLockProperties properties) {
		return new PropertiesZkLockConnectionDetails(properties);
	}

	@Bean
	NodeAccess zkLockNodeAccess(ZkLockProperties properties, ObjectProvider<ACLProvider> aclProvider,
			ObjectProvider<SslBundles> sslBundles, ObjectProvider<CuratorFrameworkFactoryBean> built) {
		return NodeAccess.of(LockClientName.DEFAULT, aclProvider.getIfAvailable(), properties, sslBundles::getObject,
				built.getIfAvailable() != null);
	}

	@Bean(OWN_CLIENT)
	@Conditional(SingleBean.NoSingleClient.class)
	CuratorFrameworkFactoryBean zkLockCuratorFramework(ZkLockProperties properties,
			ZkLockConnectionDetails connectionDetails, ObjectProvider<ACLProvider> aclProvider,
			ObjectProvider<SslBundles> sslBundles, ObjectProvider<CuratorFrameworkBuilderCustomizer> customizers,
			ConfigurableListableBeanFactory beanFactory, Environment environment) {
		requireServers(connectionDetails, beanFactory, environment);
		NodeAccess access = NodeAccess.of(LockClientName.DEFAULT, aclProvider.getIfAvailable(), properties,
				sslBundles::getObject, true);
		return new CuratorFrameworkFactoryBean(LockClientName.DEFAULT, properties, connectionDetails, access.acls(),
				sslBundles::getObject, customizers.orderedStream().toList());
	}

	@Bean
	LockClientSetup zkLockSetup(ObjectProvider<CuratorFramework> clients, NodeAccess access,
			ZkLockProperties properties, ObjectProvider<CuratorFrameworkFactoryBean> built, Environment environment) {
		CuratorFrameworkFactoryBean ours = built.getIfAvailable();
		CuratorFramework client = (ours != null) ? ours.getObject()
				: SingleBean.of(CuratorFramework.class, clients, OWN_CLIENT_REMEDY);
		return new LockClientSetup(client, access, properties, problem(built), properties, environment);
	}

	@Bean
	ZooKeeperLockLifecycle zkLockLifecycle(LockClientSetup setup,
			ObjectProvider<LockOperationSource> operationSources) {
		return setup.lifecycle(() -> guardedMethods(operationSources));
	}

	// The lifecycle shuts it down, with the grace that close() does not know.
	@Bean(destroyMethod = "")
	ZooKeeperLockProvider zkLockProvider(LockClientSetup setup, ZooKeeperLockLifecycle lifecycle,
			ObjectProvider<LockTrace> trace) {
		return setup.provider(lifecycle, trace);
	}

	@Bean
	ZkLockClients zkLockClients(ZooKeeperLockProvider provider, ObjectProvider<NamedLockClient> named) {
		Map<String, ZooKeeperLockProvider> providers = new LinkedHashMap<>();
		named.forEach((client) -> providers.put(client.name(), client.provider()));
		return new ZkLockClients(provider, providers);
	}

	@Bean
	@ConditionalOnBooleanProperty(name = EXECUTORS_FIRST, matchIfMissing = true)
	static DependsOnLockLifecycle zkLockExecutorsFirst() {
		return new DependsOnLockLifecycle(Executor.class);
	}

	@Bean
	@ConditionalOnBooleanProperty(name = EXECUTORS_FIRST, matchIfMissing = true)
	static DependsOnLockLifecycle zkLockTaskSchedulersFirst() {
		return new DependsOnLockLifecycle(TaskScheduler.class);
	}

	// Beside clients of the application, the default servers are no choice of anybody.
	private static void requireServers(ZkLockConnectionDetails details, ConfigurableListableBeanFactory beanFactory,
			Environment environment) {
		boolean chosen = !(details instanceof PropertiesZkLockConnectionDetails)
				|| environment.containsProperty(SERVERS);
		// One of them is the client of the locks.
		List<String> clients = SingleBean.candidates(CuratorFramework.class, beanFactory);
		if (!chosen && clients.size() > 1) {
			throw SingleBean.severalOf(CuratorFramework.class, String.join(", ", clients), OWN_CLIENT_REMEDY);
		}
	}

	private static String guardedMethods(ObjectProvider<LockOperationSource> sources) {
		int count = sources.stream().mapToInt(LockOperationSource::guardedMethods).sum();
		return ", " + ((count == 1) ? "1 guarded method" : count + " guarded methods");
	}

	private static Supplier<@Nullable String> problem(ObjectProvider<CuratorFrameworkFactoryBean> built) {
		CuratorFrameworkFactoryBean ours = built.getIfAvailable();
		return (ours != null) ? ours::problem : () -> null;
	}

}
