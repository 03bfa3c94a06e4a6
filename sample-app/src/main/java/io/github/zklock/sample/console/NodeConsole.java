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

package io.github.zklock.sample.console;

import java.time.Duration;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * The console of one node.
 *
 * @since 0.1.0
 */
@Configuration(proxyBeanMethods = false)
public class NodeConsole {

	@Bean
	ConsoleController consoleController(@Value("${sample.name}") String node,
			@Value("${zk-lock.session-timeout}") Duration sessionTimeout,
			@Value("${sample.report-seconds}") int reportSeconds, ConsoleToken token, ConsoleEvents events,
			ConsoleActions actions) {
		return new ConsoleController(new ConsoleController.Info(node, sessionTimeout.toMillis(), reportSeconds,
				new ConsoleController.Csrf(ConsoleToken.HEADER, token.text()), actions.all()), events, actions);
	}

	@Bean
	NodeListener nodeListener(@Value("${sample.name}") String node, LockHistory history, NodeStates nodes) {
		return new NodeListener(node, history, nodes);
	}

	@Bean
	InsideLocks insideLocks(Together together) {
		return new InsideLocks(together);
	}

	@Bean
	ContentSecurityPolicy contentSecurityPolicy() {
		return new ContentSecurityPolicy();
	}

	@Bean
	WebMvcConfigurer consoleRequests(ConsoleToken token) {
		return new WebMvcConfigurer() {

			@Override
			public void addInterceptors(InterceptorRegistry registry) {
				registry.addInterceptor(token).addPathPatterns("/console/**");
			}

		};
	}

	// The web server waits for its requests when it stops, and these do not end.
	@Bean
	ApplicationListener<ContextClosedEvent> endOfPages(@Value("${sample.name}") String node, ConsoleEvents events) {
		return (closed) -> events.disconnect(node);
	}

}
