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

import java.util.Objects;

import io.github.zklock.annotation.EnableDistributedLocks;
import io.github.zklock.annotation.LockValidation;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers what the attributes of {@link EnableDistributedLocks} say.
 */
class EnabledLocksRegistrar implements ImportBeanDefinitionRegistrar {

	private static final String SETTINGS = "zkLockEnabledSettings";

	@Override
	public void registerBeanDefinitions(AnnotationMetadata importingClassMetadata, BeanDefinitionRegistry registry) {
		AnnotationAttributes enabled = Objects.requireNonNull(AnnotationAttributes
			.fromMap(importingClassMetadata.getAnnotationAttributes(EnableDistributedLocks.class.getName())));
		AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
		if (enabled.getBoolean("proxyTargetClass")) {
			AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
		}
		// The settings of an auto-configuration win.
		registry.registerBeanDefinition(SETTINGS,
				BeanDefinitionBuilder.rootBeanDefinition(EnabledSettings.class)
					.addConstructorArgValue(enabled.getNumber("order"))
					.addConstructorArgValue(enabled.getEnum("validation"))
					.setRole(BeanDefinition.ROLE_INFRASTRUCTURE)
					.setFallback(true)
					.getBeanDefinition());
	}

	/**
	 * The settings of the annotation.
	 *
	 * @param order the order of the lock
	 * @param validation what to do about methods that cannot be guarded
	 */
	record EnabledSettings(int order, LockValidation validation) implements GuardSettings {

	}

}
