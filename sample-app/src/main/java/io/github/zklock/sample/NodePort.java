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
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * The HTTP port of a node that is about to start. The web server binds it at the end of
 * the start only, but the node is named after it at the begin. Until then the UDP port of
 * the same number stands for it, so that processes that start together do not choose the
 * same.
 */
final class NodePort implements AutoCloseable {

	private static final int NEIGHBOURS = 20;

	private static final int HIGHEST = 65535;

	/**
	 * Below the ports that Linux gives to outgoing connections.
	 */
	private static final int ANY_FROM = 32_000;

	private static final int ANY_TO = 32_768;

	private final int number;

	private final DatagramSocket claim;

	private NodePort(int number, DatagramSocket claim) {
		this.number = number;
		this.claim = claim;
	}

	/**
	 * Claim a port that is neither in use nor claimed by another process.
	 * @param first the first to try; {@code 0} for any
	 * @return the port; close it when the web server has bound it
	 */
	static NodePort claim(int first) {
		IntStream neighbours = IntStream.rangeClosed(first, Math.min(first + NEIGHBOURS - 1, HIGHEST));
		IntStream any = ThreadLocalRandom.current().ints(NEIGHBOURS * 10, ANY_FROM, ANY_TO);
		for (int number : IntStream.concat((first != 0) ? neighbours : IntStream.empty(), any).toArray()) {
			NodePort port = tryClaim(number);
			if (port != null) {
				return port;
			}
		}
		throw new IllegalStateException("No free TCP port for a node: close some other programs");
	}

	int number() {
		return this.number;
	}

	@Override
	public void close() {
		this.claim.close();
	}

	private static @Nullable NodePort tryClaim(int number) {
		try {
			DatagramSocket claim = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), number));
			// Looked at after the claim, since a claim ends when a process listens.
			if (isFree(number)) {
				return new NodePort(number, claim);
			}
			claim.close();
			return null;
		}
		catch (IOException ex) {
			return null;
		}
	}

	private static boolean isFree(int number) {
		try (ServerSocket socket = new ServerSocket(number)) {
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

}
