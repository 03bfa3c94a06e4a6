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
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.BitSet;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

/**
 * Ports for servers that stop and start again, and for addresses at which no server
 * answers. They are not from the range of the system, which could give such a port to
 * another process meanwhile. Each JVM has a part of the range to itself, since clients of
 * a server that has ended go on to connect to its port.
 */
public final class FreePorts {

	private static final int FIRST = 20_000;

	private static final int PART = 460;

	private static final int PARTS = 26;

	private static final BitSet taken = new BitSet();

	// Bound as long as this JVM lives: it has the ports behind the port of the socket.
	private static final @Nullable ServerSocket part = claimPart();

	private FreePorts() {
	}

	/**
	 * Return a free port of the loopback address.
	 * @return the port, another one each time as long as there are some
	 */
	public static synchronized int next() {
		int first = (part != null) ? part.getLocalPort() : FIRST;
		int last = first + ((part != null) ? PART : PARTS * PART);
		if (taken.cardinality() > (last - first) / 2) {
			taken.clear();
		}
		while (true) {
			int port = RandomGenerator.getDefault().nextInt(first + 1, last);
			if (!taken.get(port) && isFree(port)) {
				taken.set(port);
				return port;
			}
		}
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = bind(port)) {
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static @Nullable ServerSocket claimPart() {
		for (int i = 0; i < PARTS; i++) {
			try {
				return bind(FIRST + i * PART);
			}
			catch (IOException ex) {
				// Another JVM has it.
			}
		}
		return null;
	}

	private static ServerSocket bind(int port) throws IOException {
		return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
	}

}
