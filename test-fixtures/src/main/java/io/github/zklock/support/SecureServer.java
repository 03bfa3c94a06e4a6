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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A ZooKeeper server that takes TLS or SASL. It has a process of its own, since it reads
 * both from system properties, which every client in its JVM would inherit. A start with
 * other settings ends the server and starts another, in the same process, on the same
 * port and the same data.
 */
public final class SecureServer implements AutoCloseable {

	private final int port = FreePorts.next();

	private final Path directory;

	private JavaProcess process;

	private List<String> settings = List.of();

	/**
	 * Create a server that is not started.
	 */
	public SecureServer() {
		try {
			this.directory = Files.createTempDirectory("zookeeper");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Start the server without TLS and SASL.
	 * @return this server
	 */
	public SecureServer startPlain() {
		return start("clientPort", List.of());
	}

	/**
	 * Start the server with TLS.
	 * @param keys the store of its key
	 * @param trusted the store of the certificates that it trusts
	 * @param clientAuth whether clients need a certificate: {@code need}, {@code want} or
	 * {@code none}
	 * @return this server
	 */
	public SecureServer startTls(Path keys, Path trusted, String clientAuth) {
		return start("secureClientPort", tls(keys, trusted, clientAuth));
	}

	/**
	 * Start the server with SASL.
	 * @param users the users that it knows, with their passwords
	 * @return this server
	 */
	public SecureServer startSasl(Map<String, String> users) {
		return start("clientPort", sasl(users));
	}

	/**
	 * Start the server with TLS and SASL.
	 * @param keys the store of its key
	 * @param trusted the store of the certificates that it trusts
	 * @param users the users that it knows, with their passwords
	 * @return this server
	 */
	public SecureServer startTlsAndSasl(Path keys, Path trusted, Map<String, String> users) {
		List<String> properties = new ArrayList<>(tls(keys, trusted, "none"));
		properties.addAll(sasl(users));
		return start("secureClientPort", properties);
	}

	static List<String> tls(Path keys, Path trusted, String clientAuth) {
		return List.of("zookeeper.serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
				"zookeeper.ssl.keyStore.location=" + keys, "zookeeper.ssl.keyStore.password=" + Certificates.PASSWORD,
				"zookeeper.ssl.trustStore.location=" + trusted,
				"zookeeper.ssl.trustStore.password=" + Certificates.PASSWORD, "zookeeper.ssl.clientAuth=" + clientAuth);
	}

	private List<String> sasl(Map<String, String> users) {
		try {
			StringBuilder text = new StringBuilder(
					"Server { org.apache.zookeeper.server.auth.DigestLoginModule required");
			users.forEach((user, password) -> text.append(" user_%s=\"%s\"".formatted(user, password)));
			// Other users are other settings.
			String file = "jaas-" + users.hashCode() + ".conf";
			Path jaas = Files.writeString(this.directory.resolve(file), text.append("; };"));
			return List.of("zookeeper.fips-mode=false", "java.security.auth.login.config=" + jaas,
					"zookeeper.authProvider.sasl=org.apache.zookeeper.server.auth.SASLAuthenticationProvider");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private SecureServer start(String portName, List<String> properties) {
		List<String> settings = new ArrayList<>(properties);
		settings.add(portName);
		if (settings.equals(this.settings)) {
			return this;
		}
		this.settings = settings;
		if (this.process == null) {
			this.process = JavaProcess.of(SecureServerMain.class.getName())
				.properties(ServerProcess.PROPERTIES)
				.readsInput()
				.start(this.directory.toString(), Integer.toString(this.port));
		}
		try {
			ServerProcess.writeConfiguration(this.directory, List.of("tickTime=500", portName + "=" + this.port));
			Files.write(this.directory.resolve(SecureServerMain.PROPERTIES), properties);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.process.write("start");
		this.process.takeLine(SecureServerMain.STARTED);
		return this;
	}

	/**
	 * Return where clients connect to.
	 * @param host the name by which they know the host
	 * @return the connect string
	 */
	public String connectString(String host) {
		return host + ":" + this.port;
	}

	/**
	 * Kill the server, wait for its end and delete its data.
	 */
	@Override
	public void close() {
		if (this.process != null) {
			this.process.close();
		}
		Directories.delete(this.directory);
	}

}
