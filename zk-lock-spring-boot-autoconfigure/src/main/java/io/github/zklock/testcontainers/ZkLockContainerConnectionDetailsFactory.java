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

import io.github.zklock.autoconfigure.ZkLockConnectionDetails;
import org.testcontainers.containers.Container;

import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;

/**
 * Lets the locks use a container that is annotated with {@link ServiceConnection} and has
 * the image {@code zookeeper}, or that name in the annotation.
 */
class ZkLockContainerConnectionDetailsFactory
		extends ContainerConnectionDetailsFactory<Container<?>, ZkLockConnectionDetails> {

	private static final int PORT = 2181;

	ZkLockContainerConnectionDetailsFactory() {
		super("zookeeper");
	}

	@Override
	protected ZkLockConnectionDetails getContainerConnectionDetails(ContainerConnectionSource<Container<?>> source) {
		return new ZkLockContainerConnectionDetails(source);
	}

	private static final class ZkLockContainerConnectionDetails extends ContainerConnectionDetails<Container<?>>
			implements ZkLockConnectionDetails {

		private ZkLockContainerConnectionDetails(ContainerConnectionSource<Container<?>> source) {
			super(source);
		}

		@Override
		public String getConnectString() {
			Container<?> container = getContainer();
			if (!container.getExposedPorts().contains(PORT)) {
				throw new IllegalStateException("The container '" + container.getDockerImageName()
						+ "' with @ServiceConnection does not expose the port of ZooKeeper: call withExposedPorts("
						+ PORT + ")");
			}
			return container.getHost() + ":" + container.getMappedPort(PORT);
		}

	}

}
