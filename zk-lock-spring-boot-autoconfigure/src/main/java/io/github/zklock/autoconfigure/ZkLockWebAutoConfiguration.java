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

import io.github.zklock.interceptor.source.LockOperationSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Auto-configuration for controllers with guarded methods that take their lock as a
 * parameter, with Spring MVC and with WebFlux.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ZkLockAopAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnBean(LockOperationSource.class)
public final class ZkLockWebAutoConfiguration {

	/**
	 * For Spring MVC.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(WebMvcConfigurer.class)
	@ConditionalOnWebApplication(type = Type.SERVLET)
	static class Servlet {

		@Bean
		WebMvcLockParameterResolver zkLockWebMvcParameterResolver(LockOperationSource operationSource) {
			return new WebMvcLockParameterResolver(operationSource);
		}

	}

	/**
	 * For WebFlux.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(WebFluxConfigurer.class)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	static class Reactive {

		@Bean
		WebFluxLockParameterResolver zkLockWebFluxParameterResolver(LockOperationSource operationSource) {
			return new WebFluxLockParameterResolver(operationSource);
		}

	}

}
