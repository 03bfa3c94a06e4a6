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

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.zklock.core.LockProvider;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.RoutingLockProvider;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;

/**
 * The clients of an application, one for each ensemble: the default one of the properties
 * {@code zk-lock.*}, and those of {@code zk-lock.clients.<name>.*}. For what shows the
 * locks of each, like their health.
 *
 * @since 0.1.0
 */
public final class ZkLockClients {

	private final Map<String, ZooKeeperLockProvider> providers;

	/**
	 * Create the clients.
	 * @param byDefault the provider of the default client
	 * @param named the providers of the others, by the names of their clients
	 */
	public ZkLockClients(ZooKeeperLockProvider byDefault, Map<String, ZooKeeperLockProvider> named) {
		Map<String, ZooKeeperLockProvider> all = new LinkedHashMap<>();
		all.put(LockRequest.DEFAULT_CLIENT, byDefault);
		all.putAll(named);
		this.providers = Collections.unmodifiableMap(all);
	}

	/**
	 * Return the provider of each client by its name, the
	 * {@linkplain LockRequest#DEFAULT_CLIENT default} one first.
	 * @return the providers
	 */
	public Map<String, ZooKeeperLockProvider> providers() {
		return this.providers;
	}

	/**
	 * Return a provider that takes each lock from its client.
	 * @param byDefault the provider of the default client, as the application sees it
	 */
	LockProvider route(LockProvider byDefault) {
		Map<String, LockProvider> routes = new LinkedHashMap<>(this.providers);
		routes.put(LockRequest.DEFAULT_CLIENT, byDefault);
		return new RoutingLockProvider(routes);
	}

}
