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

package io.github.zklock.interceptor.check;

import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;

/**
 * The methods of a bean that the container calls to initialize and to destroy it: on the
 * bean itself, never on its proxy.
 */
final class LifecycleMethods {

	// By name, since not every application has them.
	private static final List<String> ANNOTATIONS = List.of("jakarta.annotation.PostConstruct",
			"jakarta.annotation.PreDestroy");

	private final Set<String> names = new HashSet<>();

	LifecycleMethods(ConfigurableListableBeanFactory beanFactory, String beanName, Class<?> type) {
		if (InitializingBean.class.isAssignableFrom(type)) {
			this.names.add("afterPropertiesSet");
		}
		BeanDefinition definition = beanFactory.containsBeanDefinition(beanName)
				? beanFactory.getMergedBeanDefinition(beanName) : null;
		if (definition instanceof AbstractBeanDefinition declared) {
			add(declared.getInitMethodNames());
		}
		// Nobody destroys a prototype.
		if (definition == null || !definition.isPrototype()) {
			addDestruction(definition, type);
		}
	}

	boolean contains(Method method) {
		MergedAnnotations annotations = MergedAnnotations.from(method);
		return (method.getParameterCount() == 0 && this.names.contains(method.getName()))
				|| ANNOTATIONS.stream().anyMatch(annotations::isPresent);
	}

	private void addDestruction(@Nullable BeanDefinition definition, Class<?> type) {
		boolean disposable = DisposableBean.class.isAssignableFrom(type);
		if (disposable) {
			this.names.add("destroy");
		}
		String name = (definition != null) ? definition.getDestroyMethodName() : null;
		boolean inferred = (name != null) ? AbstractBeanDefinition.INFER_METHOD.equals(name)
				: AutoCloseable.class.isAssignableFrom(type);
		if (inferred && !disposable) {
			this.names.add(ClassUtils.hasMethod(type, "close") ? "close" : "shutdown");
		}
		else if (definition instanceof AbstractBeanDefinition declared) {
			add(declared.getDestroyMethodNames());
		}
	}

	private void add(String @Nullable [] declared) {
		if (declared != null) {
			this.names.addAll(List.of(declared));
		}
	}

}
