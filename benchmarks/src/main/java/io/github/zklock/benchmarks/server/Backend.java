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

package io.github.zklock.benchmarks.server;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.github.zklock.support.FreePorts;
import io.github.zklock.support.ServerProcess;

/**
 * What the locks are measured on.
 *
 * @since 0.1.0
 */
public enum Backend {

	/**
	 * One server that writes to disk before it answers.
	 */
	SYNC("one server, `forceSync=yes`"),

	/**
	 * One server that does not wait for its disk.
	 */
	NOSYNC("one server, `forceSync=no`"),

	/**
	 * The same, one millisecond away.
	 */
	DISTANT("one server, `forceSync=no`, at a round trip of 1 ms"),

	/**
	 * Three servers, the client on a follower.
	 */
	ENSEMBLE("three servers, `forceSync=yes`, the client on a follower");

	private static final long HALF_TRIP_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

	private final String description;

	Backend(String description) {
		this.description = description;
	}

	/**
	 * Return what it is.
	 * @return the description
	 */
	public String description() {
		return this.description;
	}

	/**
	 * Start it.
	 * @return what runs
	 * @throws Exception if it does not start
	 */
	public Running start() throws Exception {
		List<ServerProcess> servers = new ArrayList<>();
		List<String> ensemble = new ArrayList<>();
		int count = (this == ENSEMBLE) ? 3 : 1;
		for (int id = 1; id <= count && count > 1; id++) {
			ensemble.add("server." + id + "=127.0.0.1:" + FreePorts.next() + ":" + FreePorts.next());
		}
		for (int id = 1; id <= count; id++) {
			boolean forceSync = this == SYNC || this == ENSEMBLE;
			servers.add(server(ensemble).member(id).define("zookeeper.forceSync=" + (forceSync ? "yes" : "no")));
		}
		List<AutoCloseable> parts = new ArrayList<>(servers);
		servers.forEach(ServerProcess::launch);
		String client = null;
		for (ServerProcess server : servers) {
			if (!server.awaitMode().equals("leader")) {
				client = server.connectString();
			}
		}
		String counting = servers.stream().map(ServerProcess::connectString).collect(Collectors.joining(","));
		if (this == DISTANT) {
			DelayProxy proxy = new DelayProxy(client, HALF_TRIP_NANOS);
			parts.add(proxy);
			client = proxy.connectString();
			counting = proxy.monitorString();
		}
		return new Running(client, counting, parts);
	}

	/**
	 * Start one server that does not wait for its disk, and that ends sessions soon.
	 * @param tickMillis the length of a tick, of which a session lives at least two
	 * @return what runs
	 */
	public static Running startWithTicks(long tickMillis) {
		ServerProcess server = server(List.of("tickTime=" + tickMillis)).start();
		return new Running(server.connectString(), server.connectString(), List.of(server));
	}

	private static ServerProcess server(List<String> lines) {
		ServerProcess server = new ServerProcess();
		return server.options("-Xms512m", "-Xmx1g", "-XX:+UseSerialGC")
			.configure(List.of("tickTime=2000", "initLimit=10", "syncLimit=5"))
			.configure(lines)
			.define(ServerCpu.mark(server.connectString()), "znode.container.checkIntervalMs=3600000");
	}

	/**
	 * What was started.
	 *
	 * @param client where clients connect to
	 * @param servers where all servers count what they do
	 * @param parts what is to be closed
	 */
	public record Running(String client, String servers, List<AutoCloseable> parts) implements AutoCloseable {

		@Override
		public void close() throws Exception {
			for (AutoCloseable part : this.parts) {
				part.close();
			}
		}

	}

}
