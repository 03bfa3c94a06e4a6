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

package io.github.zklock.autoconfigure.web;

import java.util.List;

import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.core.LockOperations;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ProblemDetail;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/**
 * Auto-configuration that answers requests that have not got their lock with HTTP 409 or
 * 503 and a problem detail. Handlers of the application win. The property
 * {@code spring.autoconfigure.exclude} turns it off.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ZkLockAutoConfiguration.class)
@ConditionalOnClass(ProblemDetail.class)
@ConditionalOnBean(LockOperations.class)
public final class ZkLockWebAutoConfiguration {

	/**
	 * For Spring MVC.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DispatcherServlet.class)
	@ConditionalOnWebApplication(type = Type.SERVLET)
	static class Mvc {

		@Bean
		LockExceptionResolver zkLockExceptionResolver(ObjectProvider<RequestMappingHandlerAdapter> adapters) {
			return new LockExceptionResolver(() -> adapters.stream()
				.findFirst()
				.map((adapter) -> adapter.getMessageConverters())
				.orElse(List.of()));
		}

	}

	/**
	 * For Spring WebFlux.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DispatcherHandler.class)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	static class WebFlux {

		@Bean
		LockWebExceptionHandler zkLockWebExceptionHandler(ObjectProvider<ServerCodecConfigurer> codecs,
				ObjectProvider<WebExceptionHandler> handlers) {
			return new LockWebExceptionHandler(codecs.getIfAvailable(ServerCodecConfigurer::create),
					() -> handlers.stream().anyMatch(WebFlux::isOfTheApplication));
		}

		private static boolean isOfTheApplication(WebExceptionHandler handler) {
			return !(handler instanceof LockWebExceptionHandler)
					&& !handler.getClass().getName().startsWith("org.springframework.");
		}

	}

}
