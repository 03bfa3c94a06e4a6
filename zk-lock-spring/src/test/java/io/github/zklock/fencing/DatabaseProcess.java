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

package io.github.zklock.fencing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.zklock.support.FreePorts;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A database server of the machine, in a process of its own and with a directory of its
 * own. Where the machine has no such server, the test is skipped.
 */
final class DatabaseProcess implements AutoCloseable {

	private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

	private final Path directory;

	private final int port = FreePorts.next();

	private final TestDatabase database;

	private Process server;

	private DatabaseProcess(TestDatabase database, Path directory) {
		this.directory = directory;
		this.database = database.atPort(this.port);
	}

	static DatabaseProcess postgreSql() {
		Path server = find(Path.of("/usr/lib/postgresql"), "bin/postgres");
		Assumptions.assumeTrue(server != null, "PostgreSQL is not installed: apt-get install postgresql");
		TestDatabase database = new TestDatabase("postgresql", "jdbc:postgresql://127.0.0.1:%d/postgres", "test");
		DatabaseProcess process = new DatabaseProcess(database, directory());
		Path data = process.directory.resolve("data");
		process.run("postgres", server.resolveSibling("initdb").toString(), "-A", "trust", "-U", "test", "--no-sync",
				"-E", "UTF8", "-D", data.toString());
		return process.start("postgres", server.toString(), "-D", data.toString(), "-p", "" + process.port, "-h",
				"127.0.0.1", "-k", process.directory.toString(), "-c", "fsync=off");
	}

	static DatabaseProcess mariaDb() {
		Path server = Path.of("/usr/sbin/mariadbd");
		Assumptions.assumeTrue(Files.isExecutable(server), "MariaDB is not installed: apt-get install mariadb-server");
		TestDatabase database = new TestDatabase("mariadb", "jdbc:mariadb://127.0.0.1:%d/fences", "test");
		DatabaseProcess process = new DatabaseProcess(database, directory());
		String data = "--datadir=" + process.directory.resolve("data");
		// A server that starts removes the temporary tables of every other server that
		// shares the directory.
		String temporary = "--tmpdir=" + process.directory;
		process.run("mysql", "/usr/bin/mariadb-install-db", "--no-defaults", "--auth-root-authentication-method=normal",
				data, temporary);
		Path init = process.directory.resolve("init.sql");
		try {
			Files.write(init, List.of("create database fences;", "create user test@'127.0.0.1';",
					"grant all on *.* to test@'127.0.0.1';"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return process.start("mysql", server.toString(), "--no-defaults", data, temporary, "--port=" + process.port,
				"--bind-address=127.0.0.1", "--socket=" + process.directory.resolve("socket"), "--init-file=" + init,
				"--innodb-flush-log-at-trx-commit=0", "--skip-name-resolve");
	}

	private static Path find(Path directory, String program) {
		try (Stream<Path> versions = Files.list(directory)) {
			return versions.map((version) -> version.resolve(program))
				.filter(Files::isExecutable)
				.max(Comparator.naturalOrder())
				.orElse(null);
		}
		catch (IOException ex) {
			return null;
		}
	}

	private static Path directory() {
		try {
			return Files.createTempDirectory("fence");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	TestDatabase database() {
		return this.database;
	}

	/**
	 * Stop all its processes, so that its connections live and nothing answers.
	 */
	void standStill() {
		signal("-STOP");
	}

	void goOn() {
		signal("-CONT");
	}

	private void signal(String signal) {
		List<String> command = new ArrayList<>(List.of("kill", signal, "" + this.server.pid()));
		this.server.descendants().forEach((process) -> command.add("" + process.pid()));
		try {
			// A process of a connection may have ended meanwhile.
			assertThat(new ProcessBuilder(command).start().waitFor(1, TimeUnit.MINUTES)).isTrue();
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void run(String user, String... command) {
		try {
			if (ROOT) {
				Files.setOwner(this.directory,
						this.directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user));
			}
			Process process = process(user, command);
			assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
			assertThat(process.exitValue()).as(this::log).isZero();
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private DatabaseProcess start(String user, String... command) {
		try {
			this.server = process(user, command);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		try {
			Awaitility.await("database server")
				.atMost(Duration.ofMinutes(1))
				.failFast("the server has ended", () -> !this.server.isAlive())
				.until(this::answers);
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
		return this;
	}

	// None of these servers runs as root.
	private Process process(String user, String... command) throws IOException {
		List<String> all = new ArrayList<>();
		if (ROOT) {
			all.addAll(List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups", "--"));
		}
		all.addAll(List.of(command));
		return new ProcessBuilder(all).directory(this.directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(this.directory.resolve("log").toFile()))
			.start();
	}

	private boolean answers() {
		try (Connection connection = DriverManager.getConnection(this.database.url(), this.database.user(), "")) {
			return connection.isValid(10);
		}
		catch (SQLException ex) {
			return false;
		}
	}

	private String log() {
		try {
			return Files.readString(this.directory.resolve("log"));
		}
		catch (IOException ex) {
			return String.valueOf(ex);
		}
	}

	@Override
	public void close() {
		try {
			if (this.server != null) {
				this.server.destroyForcibly().waitFor(1, TimeUnit.MINUTES);
			}
			FileSystemUtils.deleteRecursively(Objects.requireNonNull(this.directory));
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
