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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.zklock.interceptor.source.LockSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.core.env.Environment;

/**
 * Adapts {@link ZkLockProperties} to {@link LockSettings}. The default name of a lock
 * contains a dot, which would have to be put in brackets to be a key of a map:
 * {@code zk-lock.locks[ReportJob.run].wait}. So that the same key works without brackets
 * and as an environment variable, it is looked up by its full name as well.
 */
class PropertiesLockSettings implements LockSettings {

	private static final Bindable<ZkLockOverrideProperties> OVERRIDE = Bindable.of(ZkLockOverrideProperties.class);

	private final ZkLockProperties properties;

	private final Environment environment;

	private final Binder binder;

	// A lock has several settings, which are bound together.
	private final Map<String, ZkLockOverrideProperties> overrides = new ConcurrentHashMap<>();

	PropertiesLockSettings(ZkLockProperties properties, Environment environment) {
		this.properties = properties;
		this.environment = environment;
		this.binder = Binder.get(environment);
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
		return LockOverrideNames.unmatched(this.environment, names);
	}

	private ZkLockOverrideProperties override(String name) {
		ZkLockOverrideProperties override = this.properties.getLocks().get(name);
		if (override != null) {
			return override;
		}
		try {
			return this.overrides.computeIfAbsent(name,
					(unbound) -> this.binder.bind(LockOverrideNames.of(unbound), OVERRIDE)
						.orElseGet(ZkLockOverrideProperties::new));
		}
		catch (BindException ex) {
			ConfigurationProperty property = ex.getProperty();
			throw (property != null) ? new IllegalArgumentException(
					"'" + property.getValue() + "' is not allowed for " + property.getName(), ex) : ex;
		}
	}

}
