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

package io.github.zklock.interceptor;

import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandles;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.interceptor.ProxyContractNeighbours.Retried;
import io.github.zklock.interceptor.ProxyContractNeighbours.RetriedBean;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.Ordered;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.util.ClassUtils;

/**
 * The two kinds of retry around a guarded method.
 */
final class ProxyContractRetries {

	static final String SPRING_7 = "org.springframework.resilience.annotation.Retryable";

	private ProxyContractRetries() {
	}

	@EnableRetry
	@Import(RetriedBean.class)
	static class Default {

	}

	@EnableRetry(order = Ordered.LOWEST_PRECEDENCE - 200)
	@Import(RetriedBean.class)
	static class Outside {

	}

	@Import(Spring7Registrar.class)
	static class Spring7 {

	}

	static class PlainRetriedBean implements Retried {

		private final LockEvents events;

		private int attempts;

		PlainRetriedBean(LockEvents events) {
			this.events = events;
		}

		@Override
		@DistributedLock("retried")
		public void retried() {
			this.events.add("body");
			if (++this.attempts == 1) {
				throw new IllegalStateException("wanted");
			}
		}

	}

	/**
	 * Puts the annotation, which Spring Framework 6 does not have, on the class.
	 */
	static class Spring7Registrar implements ImportBeanDefinitionRegistrar {

		@Override
		public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
			registry.registerBeanDefinition("retry", new RootBeanDefinition(
					type("org.springframework.resilience.annotation.RetryAnnotationBeanPostProcessor")));
			registry.registerBeanDefinition("retried", new RootBeanDefinition(annotated()));
		}

		private static Class<?> annotated() {
			AnnotationDescription retryable = AnnotationDescription.Builder
				.ofType(type(SPRING_7).asSubclass(Annotation.class))
				.define("delay", 1L)
				.build();
			return new ByteBuddy().subclass(PlainRetriedBean.class)
				.annotateType(retryable)
				.make()
				.load(PlainRetriedBean.class.getClassLoader(),
						ClassLoadingStrategy.UsingLookup.of(MethodHandles.lookup()))
				.getLoaded();
		}

		private static Class<?> type(String name) {
			return ClassUtils.resolveClassName(name, Spring7Registrar.class.getClassLoader());
		}

	}

}
