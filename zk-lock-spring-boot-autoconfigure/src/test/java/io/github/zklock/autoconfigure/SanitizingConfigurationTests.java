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
import java.util.Map;

import io.github.zklock.support.Secrets;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.autoconfigure.context.properties.ConfigurationPropertiesReportEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.env.EnvironmentEndpointAutoConfiguration;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.actuate.env.EnvironmentEndpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Secrets are not shown, even by endpoints that are to show all values.
 */
class SanitizingConfigurationTests {

	private static final String SECRET = Secrets.password();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class))
		.withBean(InMemoryLockProvider.class);

	private final ApplicationContextRunner actuator = this.contextRunner
		.withConfiguration(AutoConfigurations.of(EnvironmentEndpointAutoConfiguration.class,
				ConfigurationPropertiesReportEndpointAutoConfiguration.class))
		.withPropertyValues("management.endpoints.web.exposure.include=*",
				"management.endpoints.jmx.exposure.include=*", "spring.jmx.enabled=true",
				"management.endpoint.env.show-values=always", "management.endpoint.configprops.show-values=always");

	@Test
	void propertiesAreShownWithoutTheirSecrets() {
		// By which the endpoint reads them. Spring Boot 4 does not bring one with the
		// actuator.
		assumeThat(List.of("com.fasterxml.jackson.databind.ObjectMapper", "tools.jackson.databind.ObjectMapper"))
			.anyMatch((mapper) -> ClassUtils.isPresent(mapper, null));
		this.actuator
			.withPropertyValues("zk-lock.key-digest-secret=" + SECRET.repeat(4), "zk-lock.auth.digest.username=app",
					"zk-lock.auth.digest.password=" + SECRET, "zk-lock.auth.sasl.options.username=batch",
					"zk-lock.auth.sasl.options.password=" + SECRET, "zk-lock.auth.sasl.options.other=" + SECRET)
			.run((context) -> {
				ConfigurationPropertiesReportEndpoint endpoint = context
					.getBean(ConfigurationPropertiesReportEndpoint.class);
				String report = endpoint.configurationPropertiesWithPrefix("zk-lock")
					.getContexts()
					.values()
					.stream()
					.flatMap((beans) -> beans.getBeans().values().stream())
					.map((bean) -> bean.getProperties().toString() + bean.getInputs())
					.toList()
					.toString();
				assertThat(report).contains("username=app", "username=batch", "password=******", "other=******")
					.doesNotContain(SECRET);
			});
	}

	@Test
	void environmentIsShownWithoutSecretsInAnySpelling() {
		Map<String, Object> values = Map.of("zk-lock.auth.digest.username", "app", "ZK_LOCK_AUTH_DIGEST_PASSWORD",
				SECRET, "zkLock.auth.digest.password", SECRET, "zk-lock.auth.sasl.options.key-store", SECRET,
				"zk-lock.root", "/shown", "zk-lock.locks.password.wait", "5s");
		this.actuator
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("mine", values)))
			.run((context) -> {
				EnvironmentEndpoint endpoint = context.getBean(EnvironmentEndpoint.class);
				String shown = endpoint.environment(null)
					.getPropertySources()
					.stream()
					.flatMap((source) -> source.getProperties().entrySet().stream())
					.map((entry) -> entry.getKey() + "=" + entry.getValue().getValue())
					.toList()
					.toString();
				assertThat(shown)
					.contains("zk-lock.root=/shown", "zk-lock.locks.password.wait=5s",
							"ZK_LOCK_AUTH_DIGEST_PASSWORD=******")
					.doesNotContain(SECRET);
			});
	}

	@Test
	void applicationStartsWithoutTheActuator() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("zkLockSanitizingFunction"));
		this.contextRunner.run((context) -> assertThat(context).hasSingleBean(SanitizingFunction.class));
	}

}
