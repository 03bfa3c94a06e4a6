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

import io.github.zklock.support.ZooKeeperOperation;

/**
 * One server with clients, each of which has a link of its own that can be cut.
 */
abstract class ServerSide extends Side {

	/**
	 * Cut the link of a client, and let it not connect again.
	 */
	abstract void cut(RecordedClient client);

	/**
	 * Lose what the client and the server send to each other, and tell neither.
	 */
	abstract void blackhole(RecordedClient client);

	/**
	 * Let a client connect again.
	 */
	abstract void heal(RecordedClient client);

	/**
	 * Send requests, and cut the link when the first one of a kind has arrived: before it
	 * is carried out, or before its reply.
	 */
	abstract void cutAt(RecordedClient client, ZooKeeperOperation operation, boolean carriedOut, Runnable requests);

	/**
	 * End a session as the server does when it has heard nothing for too long.
	 */
	abstract void expire(long session);

	/**
	 * Delete the empty containers as the server does once a minute.
	 */
	abstract void reapContainers();

}
