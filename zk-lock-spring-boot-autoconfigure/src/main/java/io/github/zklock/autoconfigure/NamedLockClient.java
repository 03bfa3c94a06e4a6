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

import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.CuratorFramework;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.env.Environment;

/**
 * A client beside the default one, with all that belongs to it. Clients share nothing:
 * each has its connection, session and threads, its start and its end.
 */
class NamedLockClient implements InitializingBean, SmartInitializingSingleton, DisposableBean {

	private final String name;

	private final CuratorFrameworkFactoryBean client;

	private final ZooKeeperLockLifecycle lifecycle;

	private final ZooKeeperLockProvider provider;

	private final LockClientSetup setup;

	/**
	 * Create the client, which connects when it is initialized.
	 * @param name its name
	 * @param settings the properties of all locks, and of the client
	 * @param sslBundles the SSL bundles
	 * @param trace the trace id of a request for a lock, if there are traces
	 * @param environment the environment
	 */
	NamedLockClient(String name, ZkLockProperties settings, ObjectProvider<SslBundles> sslBundles,
			ObjectProvider<LockTrace> trace, Environment environment) {
		this.name = name;
		LockClientName clientName = new LockClientName(name);
		ZkLockNamedClientProperties properties = settings.getClients().get(name);
		if (properties == null) {
			throw new InvalidConfigurationPropertyValueException(clientName.property("connect-string"), null,
					"It is not set, but there is something with this client's name that is no property of a client, or the "
							+ "application was built for this client.");
		}
		NodeAccess access = NodeAccess.of(clientName, null, properties, sslBundles::getObject, true);
		this.client = new CuratorFrameworkFactoryBean(clientName, properties, properties::getConnectString,
				access.acls(), sslBundles::getObject, List.of());
		this.setup = new LockClientSetup(this.client.getObject(), access, properties, this.client::problem, settings,
				environment);
		this.lifecycle = this.setup.lifecycle(() -> "");
		this.provider = this.setup.provider(this.lifecycle, trace);
	}

	String name() {
		return this.name;
	}

	CuratorFramework client() {
		return this.client.getObject();
	}

	String space() {
		return this.setup.space();
	}

	ZooKeeperLockProvider provider() {
		return this.provider;
	}

	@Override
	public void afterPropertiesSet() throws InterruptedException {
		this.client.afterPropertiesSet();
		try {
			this.lifecycle.afterPropertiesSet();
		}
		catch (InterruptedException | RuntimeException ex) {
			// Spring does not destroy a bean that could not be initialized.
			destroy();
			throw ex;
		}
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.lifecycle.afterSingletonsInstantiated();
	}

	@Override
	public void destroy() {
		this.lifecycle.destroy();
		this.client.destroy();
	}

}
