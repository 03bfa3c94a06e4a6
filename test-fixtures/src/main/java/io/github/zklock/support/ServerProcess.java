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

package io.github.zklock.support;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import org.springframework.util.FileSystemUtils;

/**
 * A ZooKeeper server, alone in a process of its own. It does not use the memory of the
 * test, and it can run out of disk.
 */
public final class ServerProcess implements BeforeAllCallback, AfterAllCallback, AutoCloseable {

	/** The tick of the server. */
	public static final Duration TICK = Duration.ofMillis(500);

	private final int port = FreePorts.next();

	private final String classPath;

	private Path directory;

	private JavaProcess process;

	/**
	 * A server of the version that the client has.
	 */
	public ServerProcess() {
		this(System.getProperty("java.class.path"));
	}

	private ServerProcess(String classPath) {
		this.classPath = classPath;
	}

	/**
	 * A server of another version.
	 * @param jars the directory of its jars
	 * @return the server
	 */
	public static ServerProcess of(Path jars) {
		Stream<String> others = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !Path.of(entry).getFileName().toString().startsWith("zookeeper-"));
		return new ServerProcess(Stream.concat(Stream.of(jars.resolve("*").toString()), others)
			.collect(Collectors.joining(File.pathSeparator)));
	}

	@Override
	public void beforeAll(ExtensionContext context) {
		start();
	}

	@Override
	public void afterAll(ExtensionContext context) {
		close();
	}

	/**
	 * Start the server, with the data it had before if it has ended, and wait until it
	 * serves clients.
	 * @return this server
	 */
	public ServerProcess start() {
		try {
			if (this.directory == null) {
				this.directory = Files.createTempDirectory("zookeeper");
			}
			Path config = Files.write(this.directory.resolve("zoo.cfg"),
					List.of("tickTime=" + TICK.toMillis(), "dataDir=" + this.directory, "clientPort=" + this.port,
							"clientPortAddress=127.0.0.1", "maxClientCnxns=0", "admin.enableServer=false",
							"4lw.commands.whitelist=srvr,mntr", "maxSessionTimeout=60000"));
			this.process = JavaProcess.start(this.classPath, "org.apache.zookeeper.server.quorum.QuorumPeerMain",
					List.of("zookeeper.forceSync=no", "zookeeper.jmx.log4j.disable=true",
							"logback.configurationFile=logback-ensemble.xml"),
					new String[] { config.toString() });
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		Awaitility.await("server")
			.atMost(Duration.ofSeconds(60))
			.ignoreExceptionsInstanceOf(IOException.class)
			.until(() -> EnsembleServer.ask(this.port, "srvr").contains("Mode: standalone"));
		return this;
	}

	/**
	 * Kill the server and wait for its end; the data stays.
	 */
	public void kill() {
		this.process.close();
	}

	/**
	 * Kill the server, wait for its end and delete its data.
	 */
	@Override
	public void close() {
		kill();
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return where clients connect to.
	 * @return the connect string
	 */
	public String connectString() {
		return "127.0.0.1:" + this.port;
	}

	/**
	 * Return whether the process of the server lives.
	 * @return {@code false} if it was killed or has ended by itself
	 */
	public boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Return what the server has logged of late.
	 * @return the lines
	 */
	public List<String> output() {
		return this.process.output();
	}

	/**
	 * Let the server write nothing more to any file until it is started again. That needs
	 * a command of Linux, but not the rights of an administrator.
	 */
	public void fillDisk() {
		this.process.limitFiles();
	}

	/**
	 * Return the version of the server.
	 * @return the version and what it was built from
	 */
	public String version() {
		try {
			return EnsembleServer.ask(this.port, "srvr")
				.lines()
				.findFirst()
				.orElseThrow()
				.replace("Zookeeper version: ", "");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return what the server counts.
	 * @param name the name of the figure, like {@code zk_watch_count}
	 * @return the figure
	 */
	public long figure(String name) {
		try {
			Map<String, String> figures = EnsembleServer.ask(this.port, "mntr")
				.lines()
				.map((line) -> line.split("\t"))
				.filter((line) -> line.length == 2)
				.collect(Collectors.toMap((line) -> line[0], (line) -> line[1], (one, other) -> one));
			return Long.parseLong(figures.get(name));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
