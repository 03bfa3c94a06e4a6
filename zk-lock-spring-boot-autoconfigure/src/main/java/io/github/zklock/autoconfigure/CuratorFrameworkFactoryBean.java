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
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.zklock.zookeeper.client.ConnectStrings;
import io.github.zklock.zookeeper.client.ConnectionDiagnosis;
import io.github.zklock.zookeeper.client.DaemonThreads;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.BoundedExponentialBackoffRetry;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.StringUtils;

/**
 * Builds, starts and closes the client of an application that has none of its own. It is
 * started as soon as it exists, so that other beans can lock while they are initialized.
 * It is closed after every bean that uses it. Lifecycle callbacks would be wrong for
 * both: contexts of tests are stopped and started again, which a client does not survive.
 */
class CuratorFrameworkFactoryBean implements FactoryBean<CuratorFramework>, InitializingBean, DisposableBean {

	// Enough for the names of 160,000 keys, however long they are.
	private static final int LARGEST_REPLY = 32 << 20;

	private static final int FIRST_SLEEP_MS = 100;

	private static final int LONGEST_SLEEP_MS = 2000;

	private static final int RETRIES = 5;

	private final ThreadPoolExecutor notifications;

	private final ClientSecurity security;

	private final CuratorFramework client;

	// A customizer may have changed it, and knows it then.
	private @Nullable Duration sessionTimeout;

	private final ConnectionDiagnosis diagnosis;

	CuratorFrameworkFactoryBean(ZkLockProperties properties, ZkLockConnectionDetails connectionDetails,
			ACLProvider acls, Supplier<SslBundles> bundles, List<CuratorFrameworkBuilderCustomizer> customizers) {
		this.notifications = daemon("zk-lock-notifications");
		this.security = new ClientSecurity(properties, bundles);
		try {
			this.client = build(properties, connectionDetails, acls, customizers);
		}
		catch (RuntimeException ex) {
			this.security.close();
			throw ex;
		}
		this.diagnosis = new ConnectionDiagnosis(this.client, this.security.probe());
	}

	private CuratorFramework build(ZkLockProperties properties, ZkLockConnectionDetails connectionDetails,
			ACLProvider acls, List<CuratorFrameworkBuilderCustomizer> customizers) {
		CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
			.connectString(ConnectStrings.check(connectionDetails.getConnectString()))
			.sessionTimeoutMs(Math.toIntExact(properties.sessionTimeout().toMillis()))
			.connectionTimeoutMs(Math.toIntExact(properties.connectionTimeout().toMillis()))
			.retryPolicy(new BoundedExponentialBackoffRetry(FIRST_SLEEP_MS, LONGEST_SLEEP_MS, RETRIES))
			// A read-only server cannot create the node of a lock.
			.canBeReadOnly(false)
			// The servers are those that were configured, also behind a port mapping.
			.ensembleTracker(false)
			// Curator 5.9 leaks the thread of the executor that it creates itself.
			.runSafeService(this.notifications);
		if (StringUtils.hasText(properties.namespace())) {
			builder.namespace(properties.namespace());
		}
		builder.aclProvider(acls);
		this.security.apply(builder);
		this.security.warnIfReadable(connectionDetails.getConnectString());
		builder.zkClientConfig(withRoom(builder.getZkClientConfig()));
		customizers.forEach((customizer) -> customizer.customize(builder));
		this.security.check(builder);
		if (builder.getSessionTimeoutMs() == properties.sessionTimeout().toMillis()) {
			this.sessionTimeout = properties.sessionTimeout();
		}
		return builder.build();
	}

	// A reply that does not fit ends the connection.
	private static ZKClientConfig withRoom(@Nullable ZKClientConfig given) {
		ZKClientConfig config = (given != null) ? given : new ZKClientConfig();
		if (config.getProperty(ZKClientConfig.JUTE_MAXBUFFER) == null) {
			config.setProperty(ZKClientConfig.JUTE_MAXBUFFER, Integer.toString(LARGEST_REPLY));
		}
		return config;
	}

	@Override
	public void afterPropertiesSet() {
		this.client.start();
		this.diagnosis.start();
	}

	@Override
	public CuratorFramework getObject() {
		return this.client;
	}

	@Override
	public Class<?> getObjectType() {
		return CuratorFramework.class;
	}

	@Override
	public void destroy() {
		this.diagnosis.close();
		this.client.close();
		this.notifications.shutdown();
		this.security.close();
	}

	/**
	 * Return why there is no connection, as the end of a sentence, if that is known.
	 */
	@Nullable String problem() {
		return this.diagnosis.problem();
	}

	/**
	 * Return the session timeout that the client requests, if the property sets it.
	 */
	@Nullable Duration sessionTimeout() {
		return this.sessionTimeout;
	}

	private static ThreadPoolExecutor daemon(String name) {
		return new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				(task) -> DaemonThreads.create(name, task), new ThreadPoolExecutor.DiscardPolicy());
	}

}
