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
import io.github.zklock.zookeeper.OwnerDetail;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * Configuration properties of distributed locks.
 *
 * @since 0.1.0
 */
@ConfigurationProperties("zk-lock")
public class ZkLockProperties extends ZkLockClientProperties implements ZkLockPropertiesValidation {

	/**
	 * Whether to enable distributed locks. When disabled, methods run under locks that
	 * are granted at once and exclude nobody.
	 */
	private boolean enabled = true;

	/**
	 * Comma-separated list of the host:port pairs of the ZooKeeper ensemble. Not used
	 * with a CuratorFramework bean of the application.
	 */
	private String connectString = "localhost:2181";

	/**
	 * Name of this instance in messages to callers that wait for its locks. Defaults to
	 * the name of the application and the port of its server, if that is fixed.
	 */
	private @Nullable String instance;

	/**
	 * What the node of a lock tells about its holder. It never holds arguments of a
	 * method.
	 */
	private OwnerDetail ownerData = OwnerDetail.FULL;

	/**
	 * Whether spans of locks hold the keys, and messages with keys.
	 */
	private boolean keyInSpans = false;

	/**
	 * Secret of at least 16 characters by which ZooKeeper is given a digest
	 * (HMAC-SHA-256) in the place of each key. All applications that share locks need the
	 * same.
	 */
	private @Nullable String keyDigestSecret;

	/**
	 * Time to wait for a lock when neither the annotation nor the override of its name
	 * says otherwise.
	 */
	private Duration defaultWait = Duration.ofSeconds(10);

	/**
	 * Bound of a single try, which is what a lock with a wait of zero is; all keys of one
	 * lock share it. The time for the first connection of the client does not count.
	 */
	private Duration tryTimeout = Duration.ofMillis(500);

	/**
	 * Time that a commit waits for an interrupted connection while its locks may still be
	 * held. By default as long as they may be held.
	 */
	private @Nullable Duration commitWait;

	/**
	 * Time without a connection to ZooKeeper after which requests for locks are refused
	 * at once, until the connection is back. By default each request waits as long as it
	 * may.
	 */
	private @Nullable Duration outageFailFast;

	/** Order in which callers that wait for a lock get it. */
	private Fairness fairness = Fairness.BOUNDED;

	/**
	 * Whether the release of a lock waits until ZooKeeper has confirmed that the lock is
	 * free, one second at most. Otherwise the lock is free a little later.
	 */
	private boolean awaitRelease = true;

	/**
	 * Whether a single try brings its server up to date before it looks whether the lock
	 * is taken, so that one that was given back a moment ago does not look taken.
	 */
	private boolean syncBeforeTry = false;

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
	private final ZkLockLimitsProperties limits = new ZkLockLimitsProperties();

	@NestedConfigurationProperty
	private final ZkLockEmbeddedProperties embedded = new ZkLockEmbeddedProperties();

	@NestedConfigurationProperty
	private final ZkLockAopProperties aop = new ZkLockAopProperties();

	@NestedConfigurationProperty
	private final ZkLockFencingProperties fencing = new ZkLockFencingProperties();

	@NestedConfigurationProperty
	private final ZkLockEndpointProperties endpoint = new ZkLockEndpointProperties();

	/**
	 * Overrides by the name of a lock, which is class-name-method unless the annotation
	 * gives another: wait (a duration, or forever), enabled, cache, once-per-tick.
	 */
	private final Map<String, ZkLockOverrideProperties> locks = new LinkedHashMap<>();

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	@Override
	public String getConnectString() {
		return this.connectString;
	}

	public void setConnectString(String connectString) {
		this.connectString = connectString;
	}

	public @Nullable String getInstance() {
		return this.instance;
	}

	public void setInstance(@Nullable String instance) {
		this.instance = instance;
	}

	public OwnerDetail getOwnerData() {
		return this.ownerData;
	}

	public void setOwnerData(OwnerDetail ownerData) {
		this.ownerData = ownerData;
	}

	public boolean isKeyInSpans() {
		return this.keyInSpans;
	}

	public void setKeyInSpans(boolean keyInSpans) {
		this.keyInSpans = keyInSpans;
	}

	public @Nullable String getKeyDigestSecret() {
		return this.keyDigestSecret;
	}

	public void setKeyDigestSecret(@Nullable String keyDigestSecret) {
		this.keyDigestSecret = keyDigestSecret;
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

	public @Nullable Duration getCommitWait() {
		return this.commitWait;
	}

	public void setCommitWait(@Nullable Duration commitWait) {
		this.commitWait = commitWait;
	}

	public @Nullable Duration getOutageFailFast() {
		return this.outageFailFast;
	}

	public void setOutageFailFast(@Nullable Duration outageFailFast) {
		this.outageFailFast = outageFailFast;
	}

	public Fairness getFairness() {
		return this.fairness;
	}

	public void setFairness(Fairness fairness) {
		this.fairness = fairness;
	}

	public boolean isAwaitRelease() {
		return this.awaitRelease;
	}

	public void setAwaitRelease(boolean awaitRelease) {
		this.awaitRelease = awaitRelease;
	}

	public boolean isSyncBeforeTry() {
		return this.syncBeforeTry;
	}

	public void setSyncBeforeTry(boolean syncBeforeTry) {
		this.syncBeforeTry = syncBeforeTry;
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

	public ZkLockLimitsProperties getLimits() {
		return this.limits;
	}

	public ZkLockEmbeddedProperties getEmbedded() {
		return this.embedded;
	}

	public ZkLockAopProperties getAop() {
		return this.aop;
	}

	public ZkLockFencingProperties getFencing() {
		return this.fencing;
	}

	public ZkLockEndpointProperties getEndpoint() {
		return this.endpoint;
	}

	public Map<String, ZkLockOverrideProperties> getLocks() {
		return this.locks;
	}

}
