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

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * The properties of the connection to ZooKeeper.
 *
 * @since 0.1.0
 */
public abstract class ZkLockClientProperties {

	/**
	 * Path put before every path of the client. Not used with a CuratorFramework bean of
	 * the application.
	 */
	private @Nullable String namespace;

	/**
	 * Path of the node under which locks live. Nodes of one lock space must use the same
	 * root.
	 */
	private String root = "/locks";

	/**
	 * Silence after which ZooKeeper ends a session and frees its locks. Not used with a
	 * CuratorFramework bean of the application.
	 */
	private Duration sessionTimeout = Duration.ofSeconds(20);

	/** Time after which an attempt to connect counts as failed. */
	private Duration connectionTimeout = Duration.ofSeconds(5);

	/**
	 * Whether to stop the application when ZooKeeper cannot be reached at startup, or
	 * does not let it lock.
	 */
	private boolean failFast = false;

	/** Time to wait for ZooKeeper at startup when fail-fast is enabled. */
	private Duration startupTimeout = Duration.ofSeconds(10);

	@NestedConfigurationProperty
	private final ZkLockRetryProperties retry = new ZkLockRetryProperties();

	@NestedConfigurationProperty
	private final ZkLockLeaseProperties lease = new ZkLockLeaseProperties();

	@NestedConfigurationProperty
	private final ZkLockAuthProperties auth = new ZkLockAuthProperties();

	@NestedConfigurationProperty
	private final ZkLockSslProperties ssl = new ZkLockSslProperties();

	/**
	 * Return the servers of the ensemble.
	 * @return the connect string
	 */
	public abstract String getConnectString();

	public @Nullable String getNamespace() {
		return this.namespace;
	}

	public void setNamespace(@Nullable String namespace) {
		this.namespace = namespace;
	}

	public String getRoot() {
		return this.root;
	}

	public void setRoot(String root) {
		this.root = root;
	}

	public Duration getSessionTimeout() {
		return this.sessionTimeout;
	}

	public void setSessionTimeout(Duration sessionTimeout) {
		this.sessionTimeout = sessionTimeout;
	}

	public Duration getConnectionTimeout() {
		return this.connectionTimeout;
	}

	public void setConnectionTimeout(Duration connectionTimeout) {
		this.connectionTimeout = connectionTimeout;
	}

	public boolean isFailFast() {
		return this.failFast;
	}

	public void setFailFast(boolean failFast) {
		this.failFast = failFast;
	}

	public Duration getStartupTimeout() {
		return this.startupTimeout;
	}

	public void setStartupTimeout(Duration startupTimeout) {
		this.startupTimeout = startupTimeout;
	}

	public ZkLockRetryProperties getRetry() {
		return this.retry;
	}

	public ZkLockLeaseProperties getLease() {
		return this.lease;
	}

	public ZkLockAuthProperties getAuth() {
		return this.auth;
	}

	public ZkLockSslProperties getSsl() {
		return this.ssl;
	}

}
