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
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.zklock.zookeeper.Fairness;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * Configuration properties of distributed locks.
 *
 * @since 0.1.0
 */
@ConfigurationProperties("zk-lock")
public class ZkLockProperties implements ZkLockPropertiesValidation {

	/**
	 * Whether to enable distributed locks. When disabled, annotated methods run without a
	 * lock.
	 */
	private boolean enabled = true;

	/**
	 * Comma-separated list of the host:port pairs of the ZooKeeper ensemble. Not used
	 * with a CuratorFramework bean of the application.
	 */
	private String connectString = "localhost:2181";

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
	 * Name of this instance in messages to those who wait for its locks. Defaults to the
	 * name of the application and the port of its server, if that is fixed.
	 */
	private @Nullable String instance;

	/**
	 * Silence after which ZooKeeper ends a session and frees its locks. Not used with a
	 * CuratorFramework bean of the application.
	 */
	private Duration sessionTimeout = Duration.ofSeconds(20);

	/** Time after which an attempt to connect counts as failed. */
	private Duration connectionTimeout = Duration.ofSeconds(5);

	/**
	 * Time to wait for a lock when neither the annotation nor the override of its name
	 * says otherwise.
	 */
	private Duration defaultWait = Duration.ofSeconds(10);

	/** Bound of a single try, which is what a lock with a wait of zero is. */
	private Duration tryTimeout = Duration.ofMillis(500);

	/** In which order those who wait for a lock get it. */
	private Fairness fairness = Fairness.BOUNDED;

	/** Whether to stop the application when ZooKeeper cannot be reached at startup. */
	private boolean failFast = false;

	/** Time to wait for ZooKeeper at startup when fail-fast is enabled. */
	private Duration startupTimeout = Duration.ofSeconds(10);

	/**
	 * Time that holders of locks are given to finish at shutdown. Defaults to the value
	 * of spring.lifecycle.timeout-per-shutdown-phase.
	 */
	private @Nullable Duration shutdownGrace;

	/**
	 * Whether executors and schedulers are shut down before the client. Disable when the
	 * client itself depends on one of them.
	 */
	private boolean executorsDependOnClient = true;

	@NestedConfigurationProperty
	private final ZkLockRetryProperties retry = new ZkLockRetryProperties();

	@NestedConfigurationProperty
	private final ZkLockLeaseProperties lease = new ZkLockLeaseProperties();

	@NestedConfigurationProperty
	private final ZkLockAopProperties aop = new ZkLockAopProperties();

	/**
	 * Overrides by the name of a lock, which is SimpleClassName.method unless the
	 * annotation gives another.
	 */
	private final Map<String, ZkLockOverrideProperties> locks = new LinkedHashMap<>();

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public String getConnectString() {
		return this.connectString;
	}

	public void setConnectString(String connectString) {
		this.connectString = connectString;
	}

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

	public @Nullable String getInstance() {
		return this.instance;
	}

	public void setInstance(@Nullable String instance) {
		this.instance = instance;
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

	public Duration getDefaultWait() {
		return this.defaultWait;
	}

	public void setDefaultWait(Duration defaultWait) {
		this.defaultWait = defaultWait;
	}

	public Duration getTryTimeout() {
		return this.tryTimeout;
	}

	public void setTryTimeout(Duration tryTimeout) {
		this.tryTimeout = tryTimeout;
	}

	public Fairness getFairness() {
		return this.fairness;
	}

	public void setFairness(Fairness fairness) {
		this.fairness = fairness;
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

	public @Nullable Duration getShutdownGrace() {
		return this.shutdownGrace;
	}

	public void setShutdownGrace(@Nullable Duration shutdownGrace) {
		this.shutdownGrace = shutdownGrace;
	}

	public boolean isExecutorsDependOnClient() {
		return this.executorsDependOnClient;
	}

	public void setExecutorsDependOnClient(boolean executorsDependOnClient) {
		this.executorsDependOnClient = executorsDependOnClient;
	}

	public ZkLockRetryProperties getRetry() {
		return this.retry;
	}

	public ZkLockLeaseProperties getLease() {
		return this.lease;
	}

	public ZkLockAopProperties getAop() {
		return this.aop;
	}

	public Map<String, ZkLockOverrideProperties> getLocks() {
		return this.locks;
	}

}
