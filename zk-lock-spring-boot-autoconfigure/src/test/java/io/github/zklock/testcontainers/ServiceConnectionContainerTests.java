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

import java.time.Duration;

import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Locks in a container that is found by its image. The client must not outlive the
 * container, or it tries to reach it for as long as the JVM lives.
 */
@Tag("server")
@Testcontainers(disabledWithoutDocker = true)
@SpringBootTest(properties = "zk-lock.connect-string=localhost:1")
@DirtiesContext
class ServiceConnectionContainerTests {

	@Container
	@ServiceConnection
	private static final GenericContainer<?> zooKeeper = new GenericContainer<>("zookeeper:3.9.5")
		.withExposedPorts(2181);

	@Autowired
	private LockOperations locks;

	@Autowired
	private CuratorFramework client;

	@Test
	void locksAreTakenInTheContainer() {
		assertThat(this.locks.execute(LockRequest.of("a").withWait(Duration.ofMinutes(2)), LockHandle::fencingToken)
			.longValue()).isPositive();
		assertThat(this.client.getZookeeperClient().getCurrentConnectionString())
			.isEqualTo(zooKeeper.getHost() + ":" + zooKeeper.getMappedPort(2181));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(ZkLockAutoConfiguration.class)
	static class Application {

	}

}
