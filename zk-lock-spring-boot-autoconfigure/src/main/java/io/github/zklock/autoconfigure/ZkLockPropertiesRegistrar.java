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

import java.util.List;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.validation.ValidationBindHandler;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Checks the properties that conditions or registrars read before they are bound, and
 * registers the check of the others.
 */
class ZkLockPropertiesRegistrar implements ImportBeanDefinitionRegistrar {

	// A condition takes "yes" for no, although it can be bound as true: methods would run
	// without a lock.
	private static final List<String> READ_BY_CONDITIONS = List.of("zk-lock.enabled", "zk-lock.embedded.enabled",
			"zk-lock.executors-depend-on-client");

	private static final String LOCKS = "zk-lock.locks";

	private static final String CHECK = "zkLockPropertiesCheck";

	private final Environment environment;

	ZkLockPropertiesRegistrar(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata importingClassMetadata, BeanDefinitionRegistry registry) {
		if (!registry.containsBeanDefinition(CHECK)) {
			registry.registerBeanDefinition(CHECK,
					BeanDefinitionBuilder.rootBeanDefinition(ZkLockPropertiesCheck.class)
						.setRole(BeanDefinition.ROLE_INFRASTRUCTURE)
						.getBeanDefinition());
		}
		READ_BY_CONDITIONS.forEach(this::checkSwitch);
		checkLocks();
	}

	// A "locks:" with nothing below it is an empty text in YAML, which Spring Boot 3.5
	// does
	// not take for no names.
	private void checkLocks() {
		String value = this.environment.getProperty(LOCKS);
		if (value != null) {
			throw new InvalidConfigurationPropertyValueException(LOCKS, value,
					"It has no value itself, only properties below it, like " + LOCKS
							+ ".<name>.wait. Remove it if there are none.");
		}
	}

	private void checkSwitch(String name) {
		String value = this.environment.getProperty(name);
		if (value != null && !value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
			throw new InvalidConfigurationPropertyValueException(name, value, "It must be true or false.");
		}
	}

	/**
	 * Makes Spring Boot check the values of {@link ZkLockProperties} as part of their
	 * binding.
	 */
	static class ZkLockPropertiesCheck implements ConfigurationPropertiesBindHandlerAdvisor {

		@Override
		public BindHandler apply(BindHandler handler) {
			return new ValidationBindHandler(handler, ZkLockPropertiesRules.validator());
		}

	}

}
