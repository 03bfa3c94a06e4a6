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

import io.github.zklock.support.Secrets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.validation.BindValidationException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.validation.Validator;

import static org.assertj.core.api.Assertions.assertThat;

class ZkLockPropertiesTests {

	private static final String SECRET = Secrets.password();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(PropertiesConfiguration.class);

	@Test
	void hasDefaultsThatWorkWithALocalServer() {
		this.contextRunner.run((context) -> {
			ZkLockProperties properties = context.getBean(ZkLockProperties.class);
			assertThat(properties.connectString()).isEqualTo("localhost:2181");
			assertThat(properties.root()).isEqualTo("/locks");
			assertThat(properties.sessionTimeout()).hasSeconds(20);
			assertThat(properties.connectionTimeout()).hasSeconds(5);
			assertThat(properties.defaultWait()).hasSeconds(10);
			assertThat(properties.tryTimeout()).hasMillis(500);
			assertThat(properties.lease().serverTick()).hasSeconds(2);
			assertThat(properties.failFast()).isFalse();
			assertThat(properties.aop().order()).isEqualTo(Ordered.LOWEST_PRECEDENCE - 100);
		});
	}

	@Test
	void bindsOverridesByTheNameOfTheLock() {
		this.contextRunner
			.withPropertyValues("zk-lock.locks.report-job-run.wait=3s", "zk-lock.locks.orders.unguarded=true")
			.run((context) -> {
				ZkLockProperties properties = context.getBean(ZkLockProperties.class);
				assertThat(properties.locks()).containsOnlyKeys("report-job-run", "orders");
				assertThat(properties.locks()).extractingByKey("report-job-run").satisfies((lock) -> {
					assertThat(lock.maxWait()).isEqualTo("3s");
					assertThat(lock.waitTime()).hasSeconds(3);
					assertThat(lock.unguarded()).isNull();
				});
				assertThat(properties.locks()).extractingByKey("orders")
					.satisfies((lock) -> assertThat(lock.unguarded()).isTrue());
			});
	}

	@Test
	void bindsNestedProperties() {
		this.contextRunner
			.withPropertyValues("zk-lock.enabled=false", "zk-lock.auth.digest.username=app",
					"zk-lock.auth.digest.password=" + SECRET, "zk-lock.auth.sasl.options.username=app",
					"zk-lock.ssl.bundle=locks", "zk-lock.embedded.data-dir=data", "zk-lock.embedded.port=2181",
					"zk-lock.fencing.initialize-schema=always", "zk-lock.endpoint.revoke=true")
			.run((context) -> {
				ZkLockProperties properties = context.getBean(ZkLockProperties.class);
				assertThat(properties.enabled()).isFalse();
				assertThat(properties.auth().digest().username()).isEqualTo("app");
				assertThat(properties.auth().digest().password()).isEqualTo(SECRET);
				assertThat(properties.auth().sasl().options()).containsEntry("username", "app");
				assertThat(properties.ssl().bundle()).isEqualTo("locks");
				assertThat(properties.embedded().dataDir()).hasName("data");
				assertThat(properties.fencing().initializeSchema())
					.isEqualTo(ZkLockProperties.Fencing.InitializeSchema.ALWAYS);
				assertThat(properties.endpoint().revoke()).isTrue();
			});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					zk-lock.root                  | locks             | root              | must start with '/', like '/locks'
					zk-lock.root                  | /                 | root              | must name a node below '/', like '/locks'
					zk-lock.root                  | /locks/           | root              | must not end with '/'
					zk-lock.root                  | /a//b             | root              | must not contain '//'
					zk-lock.root                  | /a/../b           | root              | must not contain the relative segment '..'
					zk-lock.root                  | /zookeeper/locks  | root              | must not be in '/zookeeper'
					zk-lock.namespace             | /app              | namespace         | must not start with '/'
					zk-lock.namespace             | app/              | namespace         | must not end with '/'
					zk-lock.session-timeout       | 0                 | sessionTimeout    | must be greater than zero
					zk-lock.session-timeout       | -1s               | sessionTimeout    | must be greater than zero
					zk-lock.session-timeout       | 30d               | sessionTimeout    | must not be more than 24 days
					zk-lock.connection-timeout    | 1ns               | connectionTimeout | must be at least one millisecond
					zk-lock.try-timeout           | 0                 | tryTimeout        | must be greater than zero
					zk-lock.startup-timeout       | 0                 | startupTimeout    | must be greater than zero
					zk-lock.default-wait          | -1s               | defaultWait       | must not be negative
					zk-lock.lease.server-tick     | 0                 | lease.serverTick  | must be greater than zero
					zk-lock.locks.orders.wait     | -1s               | locks[orders].wait| must not be negative
					zk-lock.locks.orders.wait     | soon              | locks[orders].wait| '''soon'' is not a duration: use a text like 5s, PT5S or 500ms, 0 for one attempt without waiting, or forever'
					""")
	void refusesValuesThatCannotWork(String property, String value, String field, String reason) {
		this.contextRunner.withPropertyValues(property + "=" + value).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(BindValidationException.class,
						(failure) -> assertThat(failure.getValidationErrors().getAllErrors()).singleElement()
							.satisfies((error) -> assertThat(error.getDefaultMessage()).startsWith(reason)));
			assertThat(context).getFailure().rootCause().hasMessageContaining("'" + field + "'");
		});
	}

	@Test
	void failureOfAPropertyNamesItsValueAndOriginAndReason() {
		this.contextRunner.withPropertyValues("zk-lock.root=locks")
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
				.contains("Property: zk-lock.root", "Value: \"locks\"", "Reason: must start with '/', like '/locks'"));
	}

	// An application that injects its Validator by type has no second one.
	@Test
	void isNoValidatorBean() {
		this.contextRunner
			.withPropertyValues("zk-lock.auth.digest.username=app", "zk-lock.auth.digest.password=" + SECRET)
			.run((context) -> {
				assertThat(context).doesNotHaveBean(Validator.class);
				ZkLockProperties properties = context.getBean(ZkLockProperties.class);
				assertThat(properties.toString() + properties.auth()).doesNotContain(SECRET);
			});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(ZkLockProperties.class)
	@Import(ZkLockPropertiesRegistrar.class)
	static class PropertiesConfiguration {

	}

}
