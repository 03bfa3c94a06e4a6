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

package io.github.zklock.testcontainers;

import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockConnectionDetails;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ZkLockContainerConnectionDetailsFactory} with containers that are not
 * started, so without Docker; {@link ServiceConnectionContainerTests} starts one.
 */
@Tag("server")
class ServiceConnectionTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(ServiceConnectionAutoConfiguration.class, ZkLockAutoConfiguration.class))
		.withPropertyValues("zk-lock.connect-string=localhost:1");

	@Test
	void aContainerBeanGivesTheAddress() {
		this.contextRunner.withUserConfiguration(Started.class)
			.run((context) -> assertThat(context.getBean(ZkLockConnectionDetails.class).getConnectString())
				.isEqualTo("docker.example:42181"));
	}

	@Test
	void aContainerThatDoesNotExposeThePortIsRefused() {
		this.contextRunner.withUserConfiguration(Unexposed.class)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOf(IllegalStateException.class)
				.hasMessage("The container 'zookeeper:3.9.5' with @ServiceConnection does not expose the port of "
						+ "ZooKeeper: call withExposedPorts(2181)"));
	}

	@Configuration(proxyBeanMethods = false)
	static class Started {

		@Bean
		@ServiceConnection(name = "zookeeper")
		GenericContainer<?> zooKeeper() {
			return new FakeContainer().withExposedPorts(2181);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Unexposed {

		@Bean
		@ServiceConnection(name = "zookeeper")
		GenericContainer<?> zooKeeper() {
			return new FakeContainer();
		}

	}

	private static final class FakeContainer extends GenericContainer<FakeContainer> {

		FakeContainer() {
			super("zookeeper:3.9.5");
		}

		@Override
		public void start() {
		}

		// That of the container asks Docker for the image.
		@Override
		public String getDockerImageName() {
			return "zookeeper:3.9.5";
		}

		@Override
		public String getHost() {
			return "docker.example";
		}

		@Override
		public Integer getMappedPort(int originalPort) {
			return 40000 + originalPort;
		}

	}

}
