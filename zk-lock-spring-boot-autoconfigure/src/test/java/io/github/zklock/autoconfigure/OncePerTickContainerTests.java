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

import org.junit.jupiter.api.Tag;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

/**
 * Once per tick, on a server in a container. The build runs it with one line of Spring
 * Boot; {@link OncePerTickTests} runs with each.
 */
@Tag("server")
@Testcontainers(disabledWithoutDocker = true)
class OncePerTickContainerTests extends AbstractOncePerTickTests {

	@Container
	private static final GenericContainer<?> zooKeeper = new GenericContainer<>("zookeeper:3.9.5")
		.withExposedPorts(2181);

	@Override
	String connectString() {
		return zooKeeper.getHost() + ":" + zooKeeper.getMappedPort(2181);
	}

}
