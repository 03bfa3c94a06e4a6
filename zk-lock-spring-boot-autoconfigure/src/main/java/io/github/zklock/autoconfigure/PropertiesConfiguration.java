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

import io.github.zklock.annotation.LockValidation;
import io.github.zklock.config.GuardSettings;
import io.github.zklock.core.spi.LockSettings;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/**
 * The properties, as the configuration of guarded methods reads them.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ZkLockProperties.class)
@Import(ZkLockPropertiesRegistrar.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
class PropertiesConfiguration implements GuardSettings {

	private final ObjectProvider<ZkLockProperties> properties;

	private final Environment environment;

	PropertiesConfiguration(ObjectProvider<ZkLockProperties> properties, Environment environment) {
		this.properties = properties;
		this.environment = environment;
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnMissingBean(LockSettings.class)
	static PropertiesLockSettings zkLockSettings(ZkLockProperties properties, Environment environment) {
		return new PropertiesLockSettings(properties, environment);
	}

	// Not from the properties bean, which is not to be created that early.
	@Override
	public int order() {
		return Binder.get(this.environment)
			.bind("zk-lock.aop.order", Integer.class)
			.orElse(ZkLockProperties.Aop.DEFAULT_ORDER);
	}

	@Override
	public LockValidation validation() {
		return this.properties.getObject().aop().validation();
	}

	@Override
	public boolean isTurnedOff() {
		return !this.properties.getObject().enabled();
	}

}
