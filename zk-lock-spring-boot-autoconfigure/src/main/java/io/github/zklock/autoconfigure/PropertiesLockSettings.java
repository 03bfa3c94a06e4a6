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

import io.github.zklock.core.spi.LockSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Adapts {@link ZkLockProperties} to {@link LockSettings}.
 */
class PropertiesLockSettings implements LockSettings {

	private final ZkLockProperties properties;

	private final Environment environment;

	// A lock has several settings, which are bound together.
	private final Map<String, ZkLockProperties.Lock> overrides = new ConcurrentHashMap<>();

	PropertiesLockSettings(ZkLockProperties properties, Environment environment) {
		this.properties = properties;
		this.environment = environment;
		LockOverrideNames.refuseEnabled(environment);
		UnknownProperties.warn(environment);
	}

	@Override
	public Duration defaultWait() {
		return this.properties.defaultWait();
	}

	@Override
	public @Nullable Duration wait(String name) {
		return override(name).waitTime();
	}

	@Override
	public boolean isUnguarded(String name) {
		return Boolean.TRUE.equals(override(name).unguarded());
	}

	@Override
	public @Nullable Boolean cache(String name) {
		return override(name).cache();
	}

	@Override
	public @Nullable Boolean oncePerTick(String name) {
		return override(name).oncePerTick();
	}

	@Override
	public @Nullable Duration recoverWithin(String name) {
		return override(name).recoverWithin();
	}

	@Override
	public @Nullable Integer maxAttempts(String name) {
		return override(name).maxAttempts();
	}

	@Override
	public @Nullable Integer shardsPerNode(String name) {
		return override(name).shardsPerNode();
	}

	@Override
	public Collection<String> unmatched(Collection<String> names) {
		return LockOverrideNames.unmatched(this.environment, names);
	}

	private ZkLockProperties.Lock override(String name) {
		return this.overrides.computeIfAbsent(LockOverrideNames.uniform(name), this::bind);
	}

	// The map has no entry for ZK_LOCK_LOCKS_*, which is only found by the full name of
	// the property. Only the map has names in brackets.
	private ZkLockProperties.Lock bind(String uniform) {
		ZkLockProperties.Lock listed = this.properties.locks()
			.entrySet()
			.stream()
			.filter((entry) -> LockOverrideNames.uniform(entry.getKey()).equals(uniform))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse(ZkLockProperties.Lock.UNSET);
		return Binder.get(this.environment)
			.bind(LockOverrideNames.property(uniform), Bindable.of(ZkLockProperties.Lock.class))
			.map((found) -> found.orElse(listed))
			.orElse(listed);
	}

}
