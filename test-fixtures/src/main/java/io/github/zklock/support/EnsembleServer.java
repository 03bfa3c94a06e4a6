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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One server of a {@link ZooKeeperEnsemble}: a process, and its links to the others.
 */
public final class EnsembleServer implements AutoCloseable {

	private static final int STATUS_TIMEOUT_MS = 5000;

	private final int number;

	private final int clientPort = FreePorts.next();

	private final int quorumPort = FreePorts.next();

	private final int electionPort = FreePorts.next();

	private final int tlsPort = FreePorts.next();

	private final List<TcpLink> links = new ArrayList<>();

	private final List<String> lines = new ArrayList<>();

	private final List<String> properties = new ArrayList<>();

	private Path data;

	private JavaProcess process;

	EnsembleServer(int number) {
		this.number = number;
	}

	void configure(Path directory, List<EnsembleServer> servers, Duration tick, Duration patience) throws IOException {
		this.data = Files.createDirectories(directory.resolve("server-" + this.number));
		Files.writeString(this.data.resolve("myid"), Integer.toString(id()));
		long patienceTicks = patience.dividedBy(tick);
		this.lines.addAll(List.of("tickTime=" + tick.toMillis(), "initLimit=" + Math.max(patienceTicks, 20),
				"syncLimit=" + patienceTicks, "clientPort=" + this.clientPort, "clientPortAddress=127.0.0.1",
				"4lw.commands.whitelist=srvr,wchs"));
		for (EnsembleServer other : servers) {
			TcpLink link = new TcpLink(other.quorumPort);
			this.links.add(link);
			int port = (other == this) ? this.quorumPort : link.port();
			this.lines.add("server." + other.id() + "=127.0.0.1:" + port + ":" + other.electionPort);
		}
	}

	void configureTls(Path keys, Path trusted) {
		this.lines.add("secureClientPort=" + this.tlsPort);
		this.properties.addAll(SecureServer.tls(keys, trusted, "none"));
	}

	/**
	 * Start the server, with the data it had before if it was killed.
	 */
	public void start() {
		try {
			this.process = ServerProcess.launch(this.data, this.lines, this.properties);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Kill the server (SIGKILL) and wait for its end.
	 */
	public void kill() {
		this.process.close();
	}

	/**
	 * Stop the server where it is (SIGSTOP), as a pause of its machine does.
	 */
	public void pause() {
		this.process.pause();
	}

	/**
	 * Let the server go on (SIGCONT).
	 */
	public void resume() {
		this.process.resume();
	}

	/**
	 * Return whether the process of the server lives, paused or not.
	 * @return {@code false} if it was killed
	 */
	public boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Return the number of the process of the server.
	 * @return its pid
	 */
	public long pid() {
		return this.process.pid();
	}

	/**
	 * Return what the server has logged of late.
	 * @return the lines
	 */
	public List<String> output() {
		return this.process.output();
	}

	/**
	 * Return the links from this server to the quorum ports of all servers.
	 * @return the links, by the number of the server that they lead to
	 */
	List<TcpLink> links() {
		return this.links;
	}

	int number() {
		return this.number;
	}

	int clientPort() {
		return this.clientPort;
	}

	int tlsPort() {
		return this.tlsPort;
	}

	EnsembleStatus status() {
		try {
			return EnsembleStatus.parse(ask(this.clientPort, "srvr"));
		}
		catch (IOException ex) {
			return new EnsembleStatus(ex.toString(), 0);
		}
	}

	/**
	 * Return how many watches clients have on nodes at this server.
	 * @return the number of watches
	 */
	public int watches() {
		try {
			return Integer.parseInt(ask(this.clientPort, "wchs").replaceAll("(?s).*Total watches:(\\d+).*", "$1"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Ask a server by one of its four-letter words.
	 */
	static String ask(int port, String word) throws IOException {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), STATUS_TIMEOUT_MS);
			socket.setSoTimeout(STATUS_TIMEOUT_MS);
			socket.getOutputStream().write(word.getBytes(StandardCharsets.UTF_8));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	@Override
	public void close() {
		if (this.process != null) {
			this.process.close();
		}
		this.links.forEach(TcpLink::close);
	}

	@Override
	public String toString() {
		return "server " + this.number;
	}

	private int id() {
		return this.number + 1;
	}

}
