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

package io.github.zklock.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;

import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;

import org.springframework.util.FileSystemUtils;

/**
 * A ZooKeeper server in this process, on any free port of the loopback interface, that
 * leaves nothing behind.
 */
class EmbeddedZooKeeper implements AutoCloseable {

	private static final Duration START_TIMEOUT = Duration.ofSeconds(20);

	private final Path directory;

	private final ZooKeeperServerEmbedded server;

	private final String connectString;

	EmbeddedZooKeeper() throws IOException {
		this.directory = Files.createTempDirectory("zk-lock-sample-zookeeper");
		try {
			this.server = ZooKeeperServerEmbedded.builder()
				.baseDir(this.directory)
				.configuration(configuration())
				// By default a failing server would end the process.
				.exitHandler(ExitHandler.LOG_ONLY)
				.build();
			this.server.start(START_TIMEOUT.toMillis());
			this.connectString = this.server.getConnectionString();
		}
		catch (Exception ex) {
			FileSystemUtils.deleteRecursively(this.directory);
			throw new IOException("The embedded ZooKeeper server did not start in " + this.directory
					+ "; give the address of a running one with --zk-lock.connect-string=host:2181", ex);
		}
	}

	String connectString() {
		return this.connectString;
	}

	Path directory() {
		return this.directory;
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		FileSystemUtils.deleteRecursively(this.directory);
	}

	private static Properties configuration() {
		Properties configuration = new Properties();
		configuration.setProperty("clientPort", "0");
		configuration.setProperty("clientPortAddress", "127.0.0.1");
		configuration.setProperty("admin.enableServer", "false");
		configuration.setProperty("tickTime", "500");
		configuration.setProperty("minSessionTimeout", "1000");
		configuration.setProperty("maxSessionTimeout", "60000");
		configuration.setProperty("maxClientCnxns", "0");
		// The data is deleted at the end, so nothing has to reach the disk.
		configuration.setProperty("forceSync", "no");
		configuration.setProperty("preAllocSize", "64");
		return configuration;
	}

}
