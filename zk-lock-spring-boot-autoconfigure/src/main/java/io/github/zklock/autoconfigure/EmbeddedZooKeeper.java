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

import java.io.File;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.FutureTask;

import io.github.zklock.zookeeper.client.DaemonThreads;
import io.github.zklock.zookeeper.client.ZooKeeperStartupException;
import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanClassLoaderAware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MutuallyExclusiveConfigurationPropertiesException;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.FileSystemUtils;
import org.springframework.util.StringUtils;

/**
 * A ZooKeeper server within the application, for development. The client gets its address
 * from here, so the server is started before the client, and stopped after it.
 */
class EmbeddedZooKeeper implements ZkLockConnectionDetails, BeanClassLoaderAware, InitializingBean, DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(EmbeddedZooKeeper.class);

	private static final String LOOPBACK = "127.0.0.1";

	private static final Duration START_TIMEOUT = Duration.ofSeconds(30);

	private final ZkLockProperties.Embedded properties;

	private final Environment environment;

	private @Nullable ClassLoader classLoader;

	private @Nullable Path directory;

	private @Nullable ZooKeeperServerEmbedded server;

	private String connectString = "";

	EmbeddedZooKeeper(ZkLockProperties.Embedded properties, Environment environment) {
		this.properties = properties;
		this.environment = environment;
	}

	@Override
	public void setBeanClassLoader(ClassLoader classLoader) {
		this.classLoader = classLoader;
	}

	@Override
	public void afterPropertiesSet() throws IOException {
		checkConnectString();
		checkLibraries();
		if (isPortTaken()) {
			this.connectString = LOOPBACK + ":" + this.properties.port();
			logger.warn(
					"The port of the embedded ZooKeeper server is taken: the server for DEVELOPMENT that listens at "
							+ "{} is used, and the locks end with it (zk-lock.embedded.enabled=true)",
					this.connectString);
			return;
		}
		try {
			this.connectString = start();
		}
		catch (Exception ex) {
			destroy();
			throw new IllegalStateException("The embedded ZooKeeper server did not start", ex);
		}
		logger.warn(
				"A ZooKeeper server for DEVELOPMENT runs in this application, at {}: only what connects "
						+ "to it shares its locks, and they end with it (zk-lock.embedded.enabled=true)",
				this.connectString);
	}

	@Override
	public String getConnectString() {
		return this.connectString;
	}

	/**
	 * Return the temporary directory of the server, if it has one.
	 */
	@Nullable Path directory() {
		return this.directory;
	}

	@Override
	public void destroy() throws IOException {
		if (this.server != null) {
			this.server.close();
			this.server = null;
		}
		FileSystemUtils.deleteRecursively(this.directory);
	}

	// With both, users could not tell where the locks are.
	private void checkConnectString() {
		String given = Binder.get(this.environment).bind("zk-lock.connect-string", String.class).orElse(null);
		MutuallyExclusiveConfigurationPropertiesException.throwIfMultipleNonNullValuesIn((entries) -> {
			entries.put("zk-lock.connect-string", StringUtils.hasText(given) ? given : null);
			entries.put("zk-lock.embedded.enabled", true);
		});
	}

	// A server without them hangs while it starts, or dies later in one of its threads.
	private void checkLibraries() {
		List<String> missing = new ArrayList<>();
		if (!ClassUtils.isPresent("com.codahale.metrics.Reservoir", this.classLoader)) {
			missing.add("io.dropwizard.metrics:metrics-core:4.2.33");
		}
		if (!ClassUtils.isPresent("org.xerial.snappy.SnappyInputStream", this.classLoader)) {
			missing.add("org.xerial.snappy:snappy-java:1.1.10.8");
		}
		if (!missing.isEmpty()) {
			throw ZooKeeperStartupException.missingLibraries(missing);
		}
	}

	private String start() throws Exception {
		Properties configuration = configuration();
		Map<String, @Nullable String> before = new HashMap<>();
		configuration.stringPropertyNames()
			.forEach((name) -> before.put("zookeeper." + name, System.getProperty("zookeeper." + name)));
		try {
			return start(configuration);
		}
		finally {
			before.forEach(EmbeddedZooKeeper::restore);
		}
	}

	// What it has no field for becomes a system property, which applies to clients and
	// other servers in this JVM as well. It is read while the server starts.
	private static void restore(String name, @Nullable String value) {
		if (value != null) {
			System.setProperty(name, value);
		}
		else {
			System.clearProperty(name);
		}
	}

	private String start(Properties configuration) throws Exception {
		this.directory = Files.createTempDirectory("zk-lock-embedded");
		ZooKeeperServerEmbedded server = ZooKeeperServerEmbedded.builder()
			.baseDir(this.directory)
			.configuration(configuration)
			// By default a failing server would end the process.
			.exitHandler(ExitHandler.LOG_ONLY)
			.build();
		this.server = server;
		// Its threads become daemons like this one: an application that is done ends.
		FutureTask<String> start = new FutureTask<>(() -> {
			server.start(START_TIMEOUT.toMillis());
			return server.getConnectionString();
		});
		DaemonThreads.create("zk-lock-embedded", start).start();
		return start.get();
	}

	private Properties configuration() {
		Properties configuration = new Properties();
		configuration.setProperty("clientPort", Integer.toString(this.properties.port()));
		configuration.setProperty("clientPortAddress", LOOPBACK);
		configuration.setProperty("admin.enableServer", "false");
		// Short session timeouts are allowed, and any number of clients on this machine.
		configuration.setProperty("tickTime", "500");
		configuration.setProperty("maxSessionTimeout", "120000");
		configuration.setProperty("maxClientCnxns", "0");
		// Nothing here has to survive a crash of the machine.
		configuration.setProperty("forceSync", "no");
		configuration.setProperty("preAllocSize", "64");
		File dataDir = this.properties.dataDir();
		if (dataDir != null) {
			configuration.setProperty("dataDir", dataDir.getAbsolutePath());
			configuration.setProperty("autopurge.purgeInterval", "1");
		}
		return configuration;
	}

	// The server itself would only log that, and a wait for it would never end.
	private boolean isPortTaken() throws IOException {
		try (ServerSocket socket = new ServerSocket()) {
			socket.bind(new InetSocketAddress(LOOPBACK, this.properties.port()));
			return false;
		}
		catch (BindException ex) {
			return true;
		}
	}

}
