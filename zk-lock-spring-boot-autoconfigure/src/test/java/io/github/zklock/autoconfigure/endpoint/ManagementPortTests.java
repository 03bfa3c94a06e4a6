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

package io.github.zklock.autoconfigure.endpoint;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Actuator endpoints on a port of their own, for which Spring Boot creates a child
 * context.
 */
class ManagementPortTests {

	private static final String WITHOUT_SECURITY = "--spring.autoconfigure.exclude="
			+ "org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration,"
			+ "org.springframework.boot.autoconfigure.integration.IntegrationAutoConfiguration";

	@Test
	void endpointOfTheManagementPortShowsTheGuardedMethodsOfTheApplication() throws Exception {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Shop.class).run("--server.port=0",
				"--management.server.port=0", "--management.endpoints.web.exposure.include=zklocks",
				"--spring.main.web-application-type=servlet", WITHOUT_SECURITY)) {
			assertThat(context.getBean(Job.class).run()).isEqualTo("nightly");
			String port = context.getEnvironment().getProperty("local.management.port");
			assertThat(port).isNotEqualTo(context.getEnvironment().getProperty("local.server.port"));
			HttpResponse<String> response = HttpClient.newHttpClient()
				.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/zklocks")).build(),
						HttpResponse.BodyHandlers.ofString());
			assertThat(response.statusCode()).isEqualTo(200);
			assertThat(response.body()).contains("nightly");
		}
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Shop {

		@Bean
		InMemoryLockProvider locks() {
			return new InMemoryLockProvider();
		}

		@Bean
		Job job() {
			return new Job();
		}

	}

	static class Job {

		@DistributedLock("nightly")
		String run() {
			return LockHandle.current().key();
		}

	}

}
