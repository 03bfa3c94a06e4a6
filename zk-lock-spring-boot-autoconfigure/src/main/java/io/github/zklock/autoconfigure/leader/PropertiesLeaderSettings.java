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

package io.github.zklock.autoconfigure.leader;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.zklock.autoconfigure.ZkLockProperties;
import io.github.zklock.leader.internal.ElectedRoles;
import io.github.zklock.leader.internal.LeaderSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/**
 * Adapts {@link ZkLockProperties} to {@link LeaderSettings}, and lets roles follow the
 * readiness of the application.
 */
final class PropertiesLeaderSettings
		implements LeaderSettings, ApplicationListener<AvailabilityChangeEvent<ReadinessState>> {

	private static final String ROLES = "zk-lock.leader.roles";

	private final ZkLockProperties.Leader properties;

	private final Environment environment;

	private final Supplier<@Nullable ElectedRoles> roles;

	PropertiesLeaderSettings(ZkLockProperties properties, Environment environment,
			Supplier<@Nullable ElectedRoles> roles) {
		this.properties = properties.leader();
		this.environment = environment;
		this.roles = roles;
	}

	// The map has no entry for ZK_LOCK_LEADER_ROLES_*, which is only found by the full
	// name of the property.
	@Override
	public boolean isEnabled(String role) {
		String uniform = uniform(role);
		return Binder.get(this.environment)
			.bind(ConfigurationPropertyName.adapt(ROLES + "." + uniform + ".enabled", '.').toString(), Boolean.class)
			.orElseGet(() -> this.properties.roles()
				.entrySet()
				.stream()
				.filter((entry) -> uniform(entry.getKey()).equals(uniform))
				.allMatch((entry) -> entry.getValue().enabled()));
	}

	@Override
	public Collection<String> unmatched(Collection<String> roles) {
		Set<String> known = roles.stream().map(PropertiesLeaderSettings::uniform).collect(Collectors.toSet());
		List<String> names = this.properties.roles()
			.entrySet()
			.stream()
			.map(Map.Entry::getKey)
			.filter((name) -> !known.contains(uniform(name)))
			.sorted()
			.toList();
		return names.stream().map((name) -> ROLES + "." + name).toList();
	}

	@Override
	public boolean isReadinessFollowed() {
		return this.properties.followReadiness();
	}

	@Override
	public void onApplicationEvent(AvailabilityChangeEvent<ReadinessState> event) {
		ElectedRoles known = this.roles.get();
		if (known != null) {
			known.readiness(event.getState() == ReadinessState.ACCEPTING_TRAFFIC);
		}
	}

	// An environment variable has neither capitals nor punctuation.
	private static String uniform(String name) {
		return name.replaceAll("[^\\p{L}\\p{N}]", "").toLowerCase(Locale.ROOT);
	}

}
