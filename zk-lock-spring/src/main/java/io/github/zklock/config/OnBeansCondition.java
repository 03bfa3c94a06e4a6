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
import java.util.stream.Stream;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.ClassUtils;

/**
 * The condition of {@link OnBeans}. Only beans that can be injected by type alone count.
 */
class OnBeansCondition implements ConfigurationCondition {

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
		AnnotationAttributes wanted = Objects.requireNonNull(
				AnnotationAttributes.fromMap(metadata.getAnnotationAttributes(OnBeans.class.getName(), true)));
		boolean own = wanted.getBoolean("ownContext");
		return Stream.of(wanted.getStringArray("present")).allMatch((type) -> exists(type, context, own))
				&& Stream.of(wanted.getStringArray("missing")).noneMatch((type) -> exists(type, context, own));
	}

	private static boolean exists(String type, ConditionContext context, boolean own) {
		Class<?> known = ClassUtils.resolveClassName(type, context.getClassLoader());
		BeanFactory beanFactory = context.getBeanFactory();
		while (beanFactory instanceof ConfigurableListableBeanFactory each) {
			if (!SingleBean.candidates(known, each).isEmpty()) {
				return true;
			}
			beanFactory = own ? null : each.getParentBeanFactory();
		}
		return false;
	}

}
