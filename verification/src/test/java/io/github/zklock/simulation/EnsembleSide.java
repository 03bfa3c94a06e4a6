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

package io.github.zklock.simulation;

import java.time.Duration;

/**
 * Three servers that can be cut off from each other.
 */
abstract class EnsembleSide extends Side {

	static final Duration TICK = Duration.ofMillis(500);

	private int server;

	/**
	 * Connect a client that knows one server only.
	 */
	RecordedClient connect(String name, int to) {
		this.server = to;
		return new RecordedClient(this, name, Duration.ofSeconds(60)).awaitConnected();
	}

	/**
	 * Return the server to which the client that is made now connects.
	 */
	int server() {
		return this.server;
	}

	/**
	 * Return the server that leads.
	 */
	abstract int leader();

	/**
	 * Return a server that does not lead.
	 */
	abstract int follower();

	/**
	 * Cut off a server from the other ones. Its clients still reach it.
	 */
	abstract void cutOff(int server);

	/**
	 * Let the servers reach each other again, and wait until all of them serve.
	 */
	abstract void heal();

	/**
	 * Kill a server.
	 */
	abstract void kill(int server);

}
