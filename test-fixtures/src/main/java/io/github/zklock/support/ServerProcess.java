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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A ZooKeeper server, alone in a process of its own. It does not use the memory of the
 * test, and it can run out of disk.
 */
public final class ServerProcess implements BeforeAllCallback, AfterAllCallback, AutoCloseable {

	/** The tick of the server. */
	public static final Duration TICK = Duration.ofMillis(500);

	/** The system properties of every server in a process of its own. */
	static final List<String> PROPERTIES = List.of("zookeeper.forceSync=no", "zookeeper.jmx.log4j.disable=true",
			"logback.configurationFile=logback-ensemble.xml");

	private static final String MAIN = "org.apache.zookeeper.server.quorum.QuorumPeerMain";

	private static final Pattern MODE = Pattern.compile("Mode: (standalone|leader|follower)");

	private final int port = FreePorts.next();

	private final List<String> lines = new ArrayList<>(List.of("tickTime=" + TICK.toMillis(), "clientPort=" + this.port,
			"clientPortAddress=127.0.0.1", "4lw.commands.whitelist=srvr,mntr"));

	private final List<String> properties = new ArrayList<>();

	private JavaProcess.Builder java = JavaProcess.of(MAIN);

	private int id;

	private Path directory;

	private JavaProcess process;

	/**
	 * A server of another version than the client has.
	 * @param jars the directory of its jars
	 * @return the server
	 */
	public static ServerProcess of(Path jars) {
		Stream<String> others = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !Path.of(entry).getFileName().toString().startsWith("zookeeper-"));
		ServerProcess server = new ServerProcess();
		server.java.classPath(Stream.concat(Stream.of(jars.resolve("*").toString()), others)
			.collect(Collectors.joining(File.pathSeparator)));
		return server;
	}

	/**
	 * Configure the server before it starts.
	 * @param lines lines of its file {@code zoo.cfg}, which may replace others
	 * @return this server
	 */
	public ServerProcess configure(List<String> lines) {
		this.lines.addAll(lines);
		return this;
	}

	/**
	 * Set system properties of the server before it starts.
	 * @param properties the properties, as {@code name=value}, which may replace others
	 * @return this server
	 */
	public ServerProcess define(String... properties) {
		this.properties.addAll(List.of(properties));
		return this;
	}

	/**
	 * Make the server and others one ensemble, before they start.
	 * @param servers all its servers, each with a number of its own
	 */
	public static void ensemble(List<ServerProcess> servers) {
		List<String> members = servers.stream()
			.map((server) -> "server." + server.id + "=127.0.0.1:" + FreePorts.next() + ":" + FreePorts.next())
			.toList();
		servers.forEach((server) -> server.configure(members).configure(List.of("initLimit=40", "syncLimit=40")));
	}

	/**
	 * Replace the options that make the JVM of the server small.
	 * @param options the options
	 * @return this server
	 */
	public ServerProcess options(String... options) {
		this.java.options(options);
		return this;
	}

	/**
	 * Make the server a member of an ensemble.
	 * @param id its number, from 1 on
	 * @return this server
	 */
	public ServerProcess member(int id) {
		this.id = id;
		return this;
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
		launch();
		awaitMode();
		return this;
	}

	/**
	 * Start the server without waiting for it: a member of an ensemble serves only when
	 * others have started.
	 */
	public void launch() {
		try {
			if (this.directory == null) {
				this.directory = Files.createTempDirectory("zookeeper");
				Files.writeString(this.directory.resolve("myid"), Integer.toString(this.id));
			}
			this.process = launch(this.java, this.directory, this.lines, this.properties);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Wait until the server serves clients.
	 * @return {@code standalone}, {@code leader} or {@code follower}
	 */
	public String awaitMode() {
		return Awaitility.await("server")
			.atMost(Duration.ofSeconds(180))
			.failFast("the server has ended", () -> !isAlive())
			.ignoreExceptionsInstanceOf(IOException.class)
			.until(() -> MODE.matcher(EnsembleServer.ask(this.port, "srvr")), Matcher::find)
			.group(1);
	}

	static JavaProcess launch(Path data, List<String> lines, List<String> properties) throws IOException {
		return launch(JavaProcess.of(MAIN), data, lines, properties);
	}

	private static JavaProcess launch(JavaProcess.Builder java, Path data, List<String> lines, List<String> properties)
			throws IOException {
		List<String> allProperties = new ArrayList<>(PROPERTIES);
		allProperties.addAll(properties);
		return java.properties(allProperties).start(writeConfiguration(data, lines).toString());
	}

	static Path writeConfiguration(Path data, List<String> lines) throws IOException {
		List<String> allLines = new ArrayList<>(
				List.of("dataDir=" + data, "maxClientCnxns=0", "admin.enableServer=false", "maxSessionTimeout=60000"));
		allLines.addAll(lines);
		return Files.write(data.resolve(SecureServerMain.CONFIGURATION), allLines);
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
		Directories.delete(this.directory);
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
	 * Return the last transaction that the server knows. Its upper half is the epoch,
	 * which grows with each election.
	 * @return the transaction, 0 while the server does not serve
	 */
	public long zxid() {
		try {
			return EnsembleStatus.parse(EnsembleServer.ask(this.port, "srvr")).zxid();
		}
		catch (IOException ex) {
			return 0;
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
