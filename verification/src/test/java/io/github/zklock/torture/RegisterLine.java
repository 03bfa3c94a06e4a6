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

package io.github.zklock.torture;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A worker's connection to the {@link FencingRegister}. A worker that cannot reach it is
 * of no use and ends.
 */
final class RegisterLine implements AutoCloseable {

	private final Socket socket;

	private final BufferedReader lines;

	RegisterLine(String worker, int port) {
		try {
			this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
			this.socket.setTcpNoDelay(true);
			this.lines = new BufferedReader(
					new InputStreamReader(this.socket.getInputStream(), StandardCharsets.UTF_8));
			send(worker + " " + System.nanoTime());
		}
		catch (IOException ex) {
			throw end();
		}
	}

	/**
	 * Send a line and wait for the answer.
	 */
	synchronized String ask(Object... words) {
		StringBuilder line = new StringBuilder();
		for (Object word : words) {
			line.append(line.isEmpty() ? "" : " ").append(word);
		}
		try {
			send(line.toString());
			return receive();
		}
		catch (IOException ex) {
			throw end();
		}
	}

	/**
	 * From now on listen only.
	 */
	void obey() {
		try {
			send("orders");
		}
		catch (IOException ex) {
			throw end();
		}
	}

	String order() {
		try {
			return receive();
		}
		catch (IOException ex) {
			throw end();
		}
	}

	private void send(String line) throws IOException {
		this.socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
	}

	private String receive() throws IOException {
		String line = this.lines.readLine();
		if (line == null) {
			throw new IOException("The register is gone");
		}
		return line;
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw end();
		}
	}

	private static IllegalStateException end() {
		Runtime.getRuntime().halt(1);
		return new IllegalStateException();
	}

}
