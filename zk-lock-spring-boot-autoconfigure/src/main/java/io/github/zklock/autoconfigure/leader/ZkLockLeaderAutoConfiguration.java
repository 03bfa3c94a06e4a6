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

import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockProperties;
import io.github.zklock.config.LeaderRoleConfiguration;
import io.github.zklock.leader.internal.ElectedRoles;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration for {@code @LeaderRole}: beans that run on one node of the cluster.
 * A child context has its own roles.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ZkLockAutoConfiguration.class)
@EnableConfigurationProperties(ZkLockProperties.class)
@Import(LeaderRoleConfiguration.class)
public final class ZkLockLeaderAutoConfiguration {

	@Bean
	PropertiesLeaderSettings zkLockLeaderSettings(ZkLockProperties properties, Environment environment,
			ObjectProvider<ElectedRoles> roles) {
		return new PropertiesLeaderSettings(properties, environment, roles::getIfAvailable);
	}

}
