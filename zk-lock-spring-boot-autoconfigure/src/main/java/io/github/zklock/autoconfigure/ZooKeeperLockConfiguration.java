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

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import io.github.zklock.config.SingleBean;
import io.github.zklock.core.LockLimits;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.interceptor.source.LockOperationSource;
import io.github.zklock.observation.internal.LockTraceId;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.ZooKeeperLockProviderBuilder;
import io.micrometer.tracing.Tracer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Locks on ZooKeeper, unless the application has locks of its own.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "zk-lock.enabled", matchIfMissing = true)
@ConditionalOnClass({ CuratorFramework.class, ZooKeeper.class })
@ConditionalOnMissingBean(LockProvider.class)
class ZooKeeperLockConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(ZooKeeperLockConfiguration.class);

	private static final String OWN_CLIENT = "zkLockCuratorFramework";

	private static final String SERVERS = "zk-lock.connect-string";

	private static final List<String> PROPERTIES_OF_OUR_CLIENT = List.of(SERVERS, "zk-lock.namespace",
			"zk-lock.session-timeout", "zk-lock.auth", "zk-lock.ssl");

	private static final String OWN_CLIENT_REMEDY = "set '" + SERVERS + "', so that locks get a client of their own";

	@Bean
	@ConditionalOnMissingBean(ZkLockConnectionDetails.class)
	PropertiesZkLockConnectionDetails zkLockConnectionDetails(ZkLockProperties properties) {
		return new PropertiesZkLockConnectionDetails(properties);
	}

	@Bean
	NodeAccess zkLockNodeAccess(ZkLockProperties properties, ObjectProvider<ACLProvider> aclProvider,
			ObjectProvider<SslBundles> sslBundles, ListableBeanFactory beanFactory, Environment environment) {
		boolean ours = beanFactory.getBeanNamesForType(CuratorFrameworkFactoryBean.class, true, false).length > 0;
		if (!ours) {
			warnOfPropertiesWithoutEffect(environment);
		}
		return NodeAccess.of(aclProvider.getIfAvailable(), properties, sslBundles::getObject, ours);
	}

	private static void warnOfPropertiesWithoutEffect(Environment environment) {
		Binder binder = Binder.get(environment);
		List<String> set = PROPERTIES_OF_OUR_CLIENT.stream()
			.filter((name) -> binder.bind(name, Bindable.of(Object.class)).isBound()
					|| binder.bind(name, Bindable.mapOf(String.class, Object.class)).isBound())
			.toList();
		if (!set.isEmpty()) {
			logger.warn("The properties {} have no effect on the CuratorFramework bean of the application: set the "
					+ "same where it is built, or remove that bean", set);
		}
	}

	@Bean(OWN_CLIENT)
	@Conditional(NoSingleClient.class)
	CuratorFrameworkFactoryBean zkLockCuratorFramework(ZkLockProperties properties,
			ZkLockConnectionDetails connectionDetails, NodeAccess access, ObjectProvider<SslBundles> sslBundles,
			ObjectProvider<CuratorFrameworkBuilderCustomizer> customizers, ConfigurableListableBeanFactory beanFactory,
			Environment environment) {
		requireServers(connectionDetails, beanFactory, environment);
		return new CuratorFrameworkFactoryBean(properties, connectionDetails, access.acls(), sslBundles::getObject,
				customizers.orderedStream().toList());
	}

	@Bean
	ZooKeeperLockLifecycle zkLockLifecycle(ObjectProvider<CuratorFramework> clients, NodeAccess access,
			ZkLockProperties properties, ObjectProvider<CuratorFrameworkFactoryBean> built,
			ObjectProvider<LockOperationSource> operationSources) {
		CuratorFrameworkFactoryBean ours = built.getIfAvailable();
		CuratorFramework client = (ours != null) ? ours.getObject()
				: SingleBean.of(CuratorFramework.class, clients, OWN_CLIENT_REMEDY);
		return new ZooKeeperLockLifecycle(client, access, properties, ours, () -> guardedMethods(operationSources));
	}

	@Bean(destroyMethod = "close")
	ZooKeeperLockProvider zkLockProvider(ZooKeeperLockLifecycle lifecycle, NodeAccess access,
			ZkLockProperties properties, ObjectProvider<LockLimits> limits, ObjectProvider<LockTrace> trace,
			ObjectProvider<ZooKeeperLockProviderBuilderCustomizer> customizers, Environment environment) {
		LockApplication application = LockApplication.of(environment);
		ZooKeeperLockProviderBuilder builder = ZooKeeperLockProvider.builder(lifecycle.client())
			.root(properties.root())
			.application(application.name())
			.ownerDetail(properties.ownerData())
			.tryTimeout(properties.tryTimeout())
			.fairness(properties.fairness())
			.awaitRelease(properties.awaitRelease())
			.keyDigestSecret(properties.keyDigestSecret())
			.outageFailFast(properties.outageFailFast())
			.limits(limits.getIfAvailable(() -> LockLimits.DEFAULT))
			.serverTick(properties.lease().serverTick())
			.aclProvider(access.acls())
			.connectionProblem(lifecycle::problem)
			.shutdownGrace(shutdownGrace(environment));
		if (application.instance() != null) {
			builder.instance(application.instance());
		}
		if (properties.commitWait() != null) {
			builder.commitWait(properties.commitWait());
		}
		trace.ifAvailable((known) -> builder.traceId(known.id()));
		customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
		return builder.build();
	}

	private static Duration shutdownGrace(Environment environment) {
		return Binder.get(environment)
			.bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class)
			.orElse(Duration.ofSeconds(30));
	}

	@Bean
	@ConditionalOnBooleanProperty(name = "zk-lock.executors-depend-on-client", matchIfMissing = true)
	static BeanFactoryPostProcessor zkLockExecutorsFirst() {
		return DependsOnLocks.ofExecutors();
	}

	// Beside clients of the application, the default servers have not been chosen.
	private static void requireServers(ZkLockConnectionDetails details, ConfigurableListableBeanFactory beanFactory,
			Environment environment) {
		boolean chosen = !(details instanceof PropertiesZkLockConnectionDetails)
				|| environment.containsProperty(SERVERS);
		// One of them is the client of the locks.
		List<String> clients = SingleBean.candidates(CuratorFramework.class, beanFactory);
		if (!chosen && clients.size() > 1) {
			List<String> theirs = clients.stream().filter((name) -> !name.equals(OWN_CLIENT)).toList();
			throw SingleBean.severalOf(CuratorFramework.class,
					String.join(", ", (theirs.size() > 1) ? theirs : clients), OWN_CLIENT_REMEDY);
		}
	}

	private static String guardedMethods(ObjectProvider<LockOperationSource> sources) {
		int count = sources.stream().mapToInt(LockOperationSource::guardedMethods).sum();
		return ", " + ((count == 1) ? "1 guarded method" : count + " guarded methods");
	}

	/**
	 * The trace of a request for a lock, for the owner data, if the application traces.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(Tracer.class)
	static class TraceConfiguration {

		@Bean
		LockTrace zkLockTrace(ObjectProvider<Tracer> tracer) {
			return new LockTrace(new LockTraceId(tracer::getIfUnique));
		}

	}

	/**
	 * The identifier of the trace of the calling thread.
	 *
	 * @param id returns the identifier
	 */
	record LockTrace(Supplier<@Nullable String> id) {

	}

	/**
	 * Adapts {@link ZkLockProperties} to {@link ZkLockConnectionDetails}.
	 */
	static class PropertiesZkLockConnectionDetails implements ZkLockConnectionDetails {

		private final ZkLockProperties properties;

		PropertiesZkLockConnectionDetails(ZkLockProperties properties) {
			this.properties = properties;
		}

		@Override
		public String getConnectString() {
			return this.properties.connectString();
		}

	}

	/**
	 * The application has no client that locks can use: none, or several and none of them
	 * is primary.
	 */
	static class NoSingleClient extends NoneNestedConditions {

		NoSingleClient() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnSingleCandidate(CuratorFramework.class)
		static class Single {

		}

	}

}
