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
import java.util.Map;
import java.util.function.Function;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

/**
 * The lock space of each client, named as its nodes are: two applications that share an
 * ensemble share the tokens of its locks, whatever they call their clients.
 */
class FenceLockSpaces implements Function<LockHandle, String> {

	private final ObjectProvider<LockClientSetup> byDefault;

	private final ObjectProvider<NamedLockClient> named;

	private final String other;

	private volatile @Nullable Map<String, String> spaces;

	/**
	 * Create the lock spaces.
	 * @param byDefault the default client, if the locks are in ZooKeeper
	 * @param named the other clients
	 * @param other the lock space of a default client that is not in ZooKeeper
	 */
	FenceLockSpaces(ObjectProvider<LockClientSetup> byDefault, ObjectProvider<NamedLockClient> named, String other) {
		this.byDefault = byDefault;
		this.named = named;
		this.other = other;
	}

	@Override
	public String apply(LockHandle handle) {
		Map<String, String> known = this.spaces;
		if (known == null) {
			known = find();
			this.spaces = known;
		}
		return known.getOrDefault(handle.client(), handle.client());
	}

	private Map<String, String> find() {
		Map<String, String> found = new LinkedHashMap<>();
		found.put(LockRequest.DEFAULT_CLIENT, this.other);
		this.byDefault.ifAvailable((setup) -> found.put(LockRequest.DEFAULT_CLIENT, setup.space()));
		this.named.forEach((client) -> found.put(client.name(), client.space()));
		return found;
	}

	/**
	 * Return the path below which the locks of a client are, as the ensemble sees it.
	 */
	static String of(CuratorFramework client, String root) {
		String connectString = client.getZookeeperClient().getCurrentConnectionString();
		int slash = (connectString != null) ? connectString.indexOf('/') : -1;
		String chroot = (slash >= 0) ? connectString.substring(slash) : "";
		String namespace = client.getNamespace();
		return (chroot.equals("/") ? "" : chroot) + ((namespace != null && !namespace.isEmpty()) ? "/" + namespace : "")
				+ root;
	}

}
