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

import io.github.zklock.interceptor.operation.LockParameters;
import io.github.zklock.interceptor.source.LockOperationSource;
import reactor.core.publisher.Mono;

import org.springframework.core.MethodParameter;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.server.ServerWebExchange;

/**
 * Leaves the lock parameters of controllers to the lock: WebFlux passes a placeholder.
 */
class WebFluxLockParameterResolver implements HandlerMethodArgumentResolver, WebFluxConfigurer {

	private final LockOperationSource operationSource;

	WebFluxLockParameterResolver(LockOperationSource operationSource) {
		this.operationSource = operationSource;
	}

	@Override
	public void configureArgumentResolvers(ArgumentResolverConfigurer configurer) {
		configurer.addCustomResolver(this);
	}

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return this.operationSource.fillsIn(parameter);
	}

	@Override
	public Mono<Object> resolveArgument(MethodParameter parameter, BindingContext bindingContext,
			ServerWebExchange exchange) {
		return Mono.justOrEmpty(LockParameters.placeholder(parameter));
	}

}
