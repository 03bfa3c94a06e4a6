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

package io.github.zklock.benchmarks.service;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What keeps locks: one server process each, with its data on the same disk.
 */
enum Service {

	ZOOKEEPER("ZooKeeper, `forceSync=yes`") {

		@Override
		List<String> command(Path directory, int port) throws Exception {
			Path configuration = directory.resolve("zoo.cfg");
			Files.write(configuration, List.of("tickTime=2000", "dataDir=" + directory, "clientPortAddress=127.0.0.1",
					"clientPort=" + port, "admin.enableServer=false", "maxClientCnxns=0"));
			String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
			return List.of(java, "-Xms512m", "-Xmx1g", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
					"org.apache.zookeeper.server.ZooKeeperServerMain", configuration.toString());
		}

	},

	REDIS("Redis, no persistence") {

		@Override
		List<String> command(Path directory, int port) {
			return redis(directory, port, "no");
		}

	},

	REDIS_AOF("Redis, `appendfsync always`") {

		@Override
		List<String> command(Path directory, int port) {
			return redis(directory, port, "yes");
		}

	},

	ETCD("etcd") {

		@Override
		List<String> command(Path directory, int port) throws Exception {
			String client = "http://127.0.0.1:" + port;
			String peer = "http://127.0.0.1:" + ServiceProcess.freePort();
			return List.of("etcd", "--name=one", "--data-dir=" + directory.resolve("data"),
					"--listen-client-urls=" + client, "--advertise-client-urls=" + client, "--listen-peer-urls=" + peer,
					"--initial-advertise-peer-urls=" + peer, "--initial-cluster=one=" + peer, "--logger=zap",
					"--log-level=error");
		}

	};

	private final String description;

	Service(String description) {
		this.description = description;
	}

	String description() {
		return this.description;
	}

	/**
	 * Return how to start a server.
	 * @param directory where its data are
	 * @param port the port for clients
	 * @return the program and its arguments
	 * @throws Exception if its configuration cannot be written
	 */
	abstract List<String> command(Path directory, int port) throws Exception;

	private static List<String> redis(Path directory, int port, String appendOnly) {
		return List.of("redis-server", "--bind", "127.0.0.1", "--port", Integer.toString(port), "--dir",
				directory.toString(), "--save", "", "--appendonly", appendOnly, "--appendfsync", "always");
	}

}
