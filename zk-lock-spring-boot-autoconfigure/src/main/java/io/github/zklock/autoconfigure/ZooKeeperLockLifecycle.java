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
import java.util.function.Supplier;

import io.github.zklock.zookeeper.client.ZooKeeperAccessCheck;
import io.github.zklock.zookeeper.client.ZooKeeperConnectionWatch;
import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Reports at the start whether ZooKeeper is there, until everything that locks is
 * destroyed.
 */
class ZooKeeperLockLifecycle implements InitializingBean, SmartInitializingSingleton, DisposableBean {

	private final CuratorFramework client;

	private final ZooKeeperConnectionWatch watch;

	private final ZkLockProperties properties;

	private final Supplier<@Nullable String> problem;

	private final Supplier<String> remark;

	private final @Nullable Duration sessionTimeout;

	ZooKeeperLockLifecycle(CuratorFramework client, NodeAccess access, ZkLockProperties properties,
			@Nullable CuratorFrameworkFactoryBean built, Supplier<String> remark) {
		this.client = client;
		this.problem = (built != null) ? built::problem : () -> null;
		this.sessionTimeout = (built != null) ? built.sessionTimeout() : null;
		this.watch = new ZooKeeperConnectionWatch(client,
				new ZooKeeperAccessCheck(client, properties.root(), access.acls(), access.scheme()), access::warnIfOpen,
				this.problem);
		this.properties = properties;
		this.remark = remark;
	}

	CuratorFramework client() {
		return this.client;
	}

	/**
	 * Return why there is no connection, if that is known.
	 */
	@Nullable String problem() {
		return this.problem.get();
	}

	@Override
	public void afterPropertiesSet() throws InterruptedException {
		if (this.properties.failFast()) {
			this.watch.requireConnection(this.properties.startupTimeout());
		}
		else {
			this.watch.warnWithoutConnection(this.properties.connectionTimeout());
		}
	}

	// When all proxies are made.
	@Override
	public void afterSingletonsInstantiated() {
		this.watch.tellWhenAvailable(this.properties.root(), this.remark.get(), this.sessionTimeout);
	}

	@Override
	public void destroy() {
		this.watch.stop();
	}

}
