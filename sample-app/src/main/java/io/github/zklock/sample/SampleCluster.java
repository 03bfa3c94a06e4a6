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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.zklock.autoconfigure.ZkLockConnectionDetails;
import io.github.zklock.sample.console.ConsoleCluster;
import io.github.zklock.sample.console.NodeConsole;
import io.github.zklock.sample.node.NodeApplication;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.Banner;
import org.springframework.boot.ansi.AnsiColor;
import org.springframework.boot.ansi.AnsiOutput;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.FileSystemUtils;

/**
 * The nodes of this process. They are children of the context that this bean lives in, so
 * they are closed before it and before the embedded server. Their files are deleted only
 * after that.
 */
class SampleCluster implements ApplicationRunner, DisposableBean, ConsoleCluster {

	private static final Logger logger = LoggerFactory.getLogger(SampleCluster.class);

	private static final String DATABASE = "sample.database";

	private static final String PASSWORD = "sample.database-password";

	private final ConfigurableApplicationContext parent;

	private final SampleProperties properties;

	private final @Nullable ZkLockConnectionDetails embedded;

	private final List<ClusterNode> nodes = new CopyOnWriteArrayList<>();

	private final List<AutoCloseable> resources = new CopyOnWriteArrayList<>();

	SampleCluster(ConfigurableApplicationContext parent, SampleProperties properties,
			@Nullable ZkLockConnectionDetails embedded) {
		this.parent = parent;
		this.properties = properties;
		this.embedded = embedded;
	}

	@Override
	public void run(ApplicationArguments args) throws IOException {
		Path directory = Files.createTempDirectory("zk-lock-sample-nodes");
		closing(() -> FileSystemUtils.deleteRecursively(directory));
		Map<String, Object> shared = shared(args);
		for (int i = 0; i < this.properties.nodes(); i++) {
			try (NodePort port = NodePort.claim(this.properties.port())) {
				ClusterNode node = closing(new ClusterNode(port.number(), breakable(),
						(each) -> startNode(each, shared, directory, args.getSourceArgs())));
				this.nodes.add(node);
				node.start();
			}
		}
		if (this.properties.console()) {
			logger.info("Console: {}", AnsiOutput.toString(AnsiColor.BRIGHT_CYAN, this.nodes.get(0).url() + "/"));
		}
		logger.info("Ctrl-C ends the application");
	}

	@Override
	public List<ClusterNode> all() {
		return this.nodes;
	}

	List<ConfigurableApplicationContext> nodes() {
		return this.nodes.stream().map((node) -> Objects.requireNonNull(node.lastContext())).toList();
	}

	@Override
	public void destroy() throws Exception {
		for (AutoCloseable resource : this.resources) {
			resource.close();
		}
	}

	private Map<String, Object> shared(ApplicationArguments args) throws IOException {
		Map<String, Object> shared = new HashMap<>();
		shared.put("sample.accident", this.properties.accident() && this.properties.nodes() > 1);
		if (this.embedded != null) {
			shared.put(DATABASE, "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;DB_CLOSE_ON_EXIT=FALSE");
			shared.put(PASSWORD, UUID.randomUUID().toString());
		}
		else if (!args.containsOption("spring.datasource.url")) {
			SharedDatabase database = closing(new SharedDatabase(databaseDirectory()));
			shared.put(DATABASE, database.url());
			shared.put(PASSWORD, database.password());
		}
		return shared;
	}

	private Path databaseDirectory() throws IOException {
		Path directory = this.properties.directory();
		if (directory == null) {
			directory = Files.createTempDirectory("zk-lock-sample");
			logger.info("Other processes use the database of this one with --sample.directory={}", directory);
		}
		return directory;
	}

	private <T extends AutoCloseable> T closing(T resource) {
		this.resources.add(resource);
		return resource;
	}

	/**
	 * Return the servers to which the connections of the nodes are such that the console
	 * can break them.
	 */
	private @Nullable String breakable() {
		if (!this.properties.console()) {
			return null;
		}
		return (this.embedded != null) ? this.embedded.getConnectString()
				: this.parent.getEnvironment().getProperty("zk-lock.connect-string");
	}

	private ConfigurableApplicationContext startNode(ClusterNode node, Map<String, Object> shared, Path directory,
			String[] args) {
		Map<String, Object> own = new HashMap<>(shared);
		own.put("server.port", node.port());
		own.put("server.tomcat.basedir", directory.resolve(node.name()).toString());
		own.put("sample.name", node.name());
		SpringApplicationBuilder application = new SpringApplicationBuilder(NodeApplication.class);
		if (this.properties.console()) {
			application.sources(NodeConsole.class);
		}
		ConfigurableApplicationContext context = application.parent(this.parent)
			.bannerMode(Banner.Mode.OFF)
			.initializers((each) -> {
				each.getEnvironment().getPropertySources().addFirst(new MapPropertySource("node", own));
				node.prepare(each);
			})
			.run(args);
		logger.info("{}  {}", node.name(), node.url());
		return context;
	}

}
