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

import java.util.Map;

import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Properties that do not exist.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnknownPropertiesTests {

	private static final String WARNING = "does not exist and has no effect";

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class))
		.withBean(InMemoryLockProvider.class);

	@Test
	void misspelledPropertyIsWarnedOfWithTheNearestOne(CapturedOutput output) {
		this.contextRunner
			.withPropertyValues("zk-lock.conect-string=10.0.0.1:2181", "zk-lock.endpoint.revokes=true",
					"zklock.sessionTimout=5s", "zk-lock.ssl.verify-hostname=false")
			.run((context) -> assertThat(output).contains("The property zk-lock.conect-string",
					"Nearest is zk-lock.connect-string", "The property zk-lock.endpoint.revokes",
					"Nearest is zk-lock.endpoint.revoke", "The property zklock.sessiontimout",
					"Nearest is zk-lock.session-timeout", "The property zk-lock.ssl.verify-hostname"));
	}

	@Test
	void propertyThatExistsIsNotWarnedOf(CapturedOutput output) {
		this.contextRunner
			.withPropertyValues("zk-lock.root=/a", "zk-lock.defaultWait=1s", "zk-lock.session_timeout=30s",
					"zk-lock.locks.orders.wait=1s", "zk-lock.locks[a.b].cache=true",
					"zk-lock.auth.sasl.options.username=a", "other.zk-lock.conect-string=x")
			.run((context) -> assertThat(output).doesNotContain(WARNING));
	}

	@Test
	void environmentVariableOfAnotherProgramIsNotWarnedOf(CapturedOutput output) {
		environment(Map.of("ZK_LOCK_TEAM", "a", "ZKLOCK_CONNECTSTRING", "a:1", "ZK_LOCK_CONNECT_STRING", "a:1",
				"ZK_LOCK_LOCKS_ORDERS_WAIT", "1s"))
			.run((context) -> assertThat(output).doesNotContain(WARNING));
	}

	@Test
	void misspelledEnvironmentVariableIsWarnedOf(CapturedOutput output) {
		environment(Map.of("ZK_LOCK_CONECT_STRING", "a:1"))
			.run((context) -> assertThat(output).contains(WARNING, "Nearest is zk-lock.connect-string"));
	}

	private ApplicationContextRunner environment(Map<String, Object> variables) {
		return this.contextRunner.withInitializer((context) -> context.getEnvironment()
			.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource(
					"test-" + StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables)));
	}

}
