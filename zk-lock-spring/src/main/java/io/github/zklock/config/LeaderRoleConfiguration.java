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

package io.github.zklock.config;

import io.github.zklock.core.internal.NoOpLockProvider;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.leader.LeaderRoles;
import io.github.zklock.leader.internal.ElectedRoles;
import io.github.zklock.leader.internal.LeaderSettings;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Beans that run on one node of the cluster. A child context has its own roles, with the
 * locks of its parent.
 *
 * @since 0.1.0
 */
@Configuration(proxyBeanMethods = false)
public class LeaderRoleConfiguration {

	@Bean
	@OnBeans(missing = LeaderRoles.class, ownContext = true)
	ElectedRoles zkLockLeaderRoles(ConfigurableListableBeanFactory beanFactory, ObjectProvider<LockProvider> providers,
			ObjectProvider<GuardSettings> guard, ObjectProvider<LeaderSettings> settings,
			ApplicationEventPublisher events) {
		return new ElectedRoles(beanFactory,
				() -> guard.stream().anyMatch(GuardSettings::isTurnedOff) ? new NoOpLockProvider()
						: SingleBean.of(LockProvider.class, providers,
								"declare the locks of roles as the primary ones"),
				() -> settings.getIfAvailable(() -> LeaderSettings.NONE), events);
	}

}
