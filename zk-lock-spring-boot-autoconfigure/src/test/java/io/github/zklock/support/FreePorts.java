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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that stop and start again, and for addresses at which nobody answers.
 * They are not from the range of the system, which could give such a port to another
 * process meanwhile.
 */
public final class FreePorts {

	private static final int FIRST = 20_000;

	private static final int LAST = 32_000;

	private static final Set<Integer> taken = ConcurrentHashMap.newKeySet();

	private FreePorts() {
	}

	/**
	 * Return a port of the loopback address that nobody uses.
	 * @return the port, another one each time
	 */
	public static int next() {
		while (true) {
			int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
			try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
				if (taken.add(socket.getLocalPort())) {
					return port;
				}
			}
			catch (IOException ex) {
				// Another process has it.
			}
		}
	}

}
