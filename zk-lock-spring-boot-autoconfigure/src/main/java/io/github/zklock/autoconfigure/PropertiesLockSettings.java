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
import java.util.Collection;
import java.util.Locale;
import java.util.Map;

import io.github.zklock.interceptor.source.LockSettings;
import org.jspecify.annotations.Nullable;

/**
 * Adapts {@link ZkLockProperties} to {@link LockSettings}. An environment variable has no
 * dashes and no capitals, so names are compared without them.
 */
class PropertiesLockSettings implements LockSettings {

	private static final ZkLockOverrideProperties NONE = new ZkLockOverrideProperties();

	private final ZkLockProperties properties;

	PropertiesLockSettings(ZkLockProperties properties) {
		this.properties = properties;
	}

	@Override
	public Duration defaultWait() {
		return this.properties.getDefaultWait();
	}

	@Override
	public @Nullable Duration wait(String name) {
		return override(name).waitTime();
	}

	@Override
	public boolean isEnabled(String name) {
		return override(name).isEnabled();
	}

	@Override
	public @Nullable Boolean cache(String name) {
		return override(name).getCache();
	}

	@Override
	public @Nullable Boolean oncePerTick(String name) {
		return override(name).getOncePerTick();
	}

	@Override
	public @Nullable String client(String name) {
		return override(name).getClient();
	}

	@Override
	public Collection<String> clients() {
		return this.properties.getClients().keySet();
	}

	@Override
	public Collection<String> unmatched(Collection<String> names) {
		return this.properties.getLocks()
			.keySet()
			.stream()
			.filter((key) -> names.stream().noneMatch((name) -> uniform(name).equals(uniform(key))))
			.map((key) -> "zk-lock.locks." + key)
			.toList();
	}

	private ZkLockOverrideProperties override(String name) {
		Map<String, ZkLockOverrideProperties> overrides = this.properties.getLocks();
		ZkLockOverrideProperties override = overrides.get(name);
		return (override != null) ? override
				: overrides.entrySet()
					.stream()
					.filter((entry) -> uniform(entry.getKey()).equals(uniform(name)))
					.map(Map.Entry::getValue)
					.findFirst()
					.orElse(NONE);
	}

	private static String uniform(String name) {
		return name.replace("-", "").toLowerCase(Locale.ROOT);
	}

}
