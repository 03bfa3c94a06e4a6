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

package io.github.zklock.autoconfigure.health;

import java.util.Map;

import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockProperties;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.health.LockHealth;
import io.github.zklock.health.boot4.ZkLockHealthIndicator;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/**
 * What {@link ZkLockHealthAutoConfiguration} does, with Spring Boot 4, where the types
 * have other packages.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ZkLockAutoConfiguration.class,
		beforeName = "org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration")
@ConditionalOnClass(name = { "org.springframework.boot.health.contributor.AbstractHealthIndicator",
		"org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator" })
@ConditionalOnBean(LockProvider.class)
@EnableConfigurationProperties(ZkLockProperties.class)
public final class ZkLockHealthContributorAutoConfiguration {

	@Bean
	@ConditionalOnEnabledHealthIndicator("zklock")
	@ConditionalOnMissingBean(name = { "zkLockHealthIndicator", "zkLockHealthContributor" },
			search = SearchStrategy.CURRENT)
	HealthContributor zkLockHealthIndicator(ConfigurableListableBeanFactory beanFactory, ZkLockProperties properties) {
		Map<String, LockHealth> healths = LockHealths.of(beanFactory, properties);
		return (healths.size() == 1) ? new ZkLockHealthIndicator(healths.values().iterator().next())
				: CompositeHealthContributor.fromMap(healths, ZkLockHealthIndicator::new);
	}

}
