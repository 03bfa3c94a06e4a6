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

package io.github.zklock.dockercompose;

import io.github.zklock.autoconfigure.ZkLockConnectionDetails;

import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;

/**
 * Lets the locks use a service of Docker Compose with the image {@code zookeeper}, or
 * with the label {@code org.springframework.boot.service-connection: zookeeper}.
 */
class ZkLockDockerComposeConnectionDetailsFactory
		extends DockerComposeConnectionDetailsFactory<ZkLockConnectionDetails> {

	private static final int PORT = 2181;

	ZkLockDockerComposeConnectionDetailsFactory() {
		super("zookeeper");
	}

	@Override
	protected ZkLockConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
		return new ZkLockDockerComposeConnectionDetails(source.getRunningService());
	}

	private static final class ZkLockDockerComposeConnectionDetails extends DockerComposeConnectionDetails
			implements ZkLockConnectionDetails {

		private final String connectString;

		private ZkLockDockerComposeConnectionDetails(RunningService service) {
			super(service);
			this.connectString = service.host() + ":" + service.ports().get(PORT);
		}

		@Override
		public String getConnectString() {
			return this.connectString;
		}

	}

}
