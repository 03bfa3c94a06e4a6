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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

import javax.security.auth.login.Configuration;

import org.apache.zookeeper.server.ZooKeeperServerMain;
import org.apache.zookeeper.server.auth.ProviderRegistry;
import org.awaitility.Awaitility;

/**
 * The process of a {@link SecureServer}. For each line of its input it ends its server
 * and starts another one, with the settings that are in its directory by then. It ends
 * with its input, and so with the test.
 */
public final class SecureServerMain {

	/** The line for each server that has started. */
	static final String STARTED = "The server has started";

	/** The system properties of a server, in the directory of its data. */
	static final String PROPERTIES = "server.properties";

	/** The configuration of a server, in the same directory. */
	static final String CONFIGURATION = "zoo.cfg";

	private SecureServerMain() {
	}

	/**
	 * Run one server after the other.
	 * @param arguments the directory of their data, and their port
	 * @throws Exception if a server cannot be ended
	 */
	public static void main(String[] arguments) throws Exception {
		Path directory = Path.of(arguments[0]);
		Properties initial = (Properties) System.getProperties().clone();
		BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		Server server = null;
		while (input.readLine() != null) {
			if (server != null) {
				server.close();
				server.thread.join();
				awaitFree(Integer.parseInt(arguments[1]));
			}
			setProperties(initial, directory.resolve(PROPERTIES));
			server = new Server(directory);
			server.thread.start();
		}
		Runtime.getRuntime().halt(0);
	}

	// A server with Netty closes its port later, on another thread.
	private static void awaitFree(int port) {
		Awaitility.await().ignoreExceptionsInstanceOf(BindException.class).until(() -> {
			new ServerSocket(port).close();
			return true;
		});
	}

	// The server before has also left some, and what it has read from them.
	private static void setProperties(Properties initial, Path file) throws IOException {
		Properties properties = (Properties) initial.clone();
		try (Reader reader = Files.newBufferedReader(file)) {
			properties.load(reader);
		}
		System.setProperties(properties);
		Configuration.setConfiguration(null);
		ProviderRegistry.reset();
	}

	private static final class Server extends ZooKeeperServerMain {

		private final Thread thread;

		Server(Path directory) {
			this.thread = new Thread(() -> run(directory), "server");
		}

		private void run(Path directory) {
			try {
				initializeAndRun(new String[] { directory.resolve(CONFIGURATION).toString() });
			}
			catch (Exception ex) {
				ex.printStackTrace();
				Runtime.getRuntime().halt(2);
			}
		}

		@Override
		protected void serverStarted() {
			System.out.println(STARTED);
		}

	}

}
