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
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.zklock.sample.node.NodeApplication;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.Banner;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;

/**
 * The nodes of this process. They are children of the context that this bean lives in, so
 * they are closed before it and before the embedded server.
 */
class SampleCluster implements ApplicationRunner, DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(SampleCluster.class);

	private static final String CONNECT_STRING = "zk-lock.connect-string";

	private static final int PORTS_TO_TRY = 20;

	private final ConfigurableApplicationContext parent;

	private final SampleProperties properties;

	private final List<ConfigurableApplicationContext> nodes = new CopyOnWriteArrayList<>();

	private @Nullable EmbeddedZooKeeper zooKeeper;

	SampleCluster(ConfigurableApplicationContext parent, SampleProperties properties) {
		this.parent = parent;
		this.properties = properties;
	}

	@Override
	public void run(ApplicationArguments args) throws IOException {
		Map<String, Object> shared = shared();
		for (int i = 0; i < this.properties.nodes(); i++) {
			this.nodes.add(startNode(shared, args.getSourceArgs()));
		}
		logger.info("Ctrl-C ends the application");
	}

	List<ConfigurableApplicationContext> nodes() {
		return this.nodes;
	}

	@Override
	public void destroy() throws IOException {
		if (this.zooKeeper != null) {
			this.zooKeeper.close();
		}
	}

	private Map<String, Object> shared() throws IOException {
		Map<String, Object> shared = new HashMap<>();
		shared.put("sample.accident", this.properties.accident() && this.properties.nodes() > 1);
		String given = this.parent.getEnvironment().getProperty(CONNECT_STRING);
		if (given == null) {
			this.zooKeeper = new EmbeddedZooKeeper();
			shared.put(CONNECT_STRING, this.zooKeeper.connectString());
			shared.put("sample.database",
					"jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;DB_CLOSE_ON_EXIT=FALSE");
			logger.info("ZooKeeper  {} (embedded)", this.zooKeeper.connectString());
		}
		else {
			// Nodes in other processes on this machine open the same file.
			Path file = Path.of(System.getProperty("java.io.tmpdir"), "zk-lock-sample", "shared");
			shared.put("sample.database", "jdbc:h2:file:" + file.toAbsolutePath() + ";AUTO_SERVER=TRUE;WRITE_DELAY=0");
			logger.info("ZooKeeper  {}", given);
		}
		return shared;
	}

	private ConfigurableApplicationContext startNode(Map<String, Object> shared, String[] args) {
		int port = freePort();
		Map<String, Object> own = new HashMap<>(shared);
		own.put("server.port", port);
		own.put("sample.name", "node-" + port);
		ConfigurableApplicationContext node = new SpringApplicationBuilder(NodeApplication.class).parent(this.parent)
			.bannerMode(Banner.Mode.OFF)
			.initializers((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("node", own)))
			.run(args);
		logger.info("node-{}  http://localhost:{}", port, port);
		return node;
	}

	private int freePort() {
		int first = this.properties.port();
		for (int port = first; first != 0 && port < first + PORTS_TO_TRY; port++) {
			if (isFree(port)) {
				return port;
			}
		}
		return anyFreePort();
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port)) {
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static int anyFreePort() {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new IllegalStateException("No free TCP port for a node: close some other programs", ex);
		}
	}

}
