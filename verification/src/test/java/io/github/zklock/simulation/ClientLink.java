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

/**
 * The faults of one client's connections: those it has, and those it makes later.
 */
public interface ClientLink {

	/**
	 * Close the connection now: what is under way in either direction is lost, both ends
	 * see it.
	 */
	void cut();

	/**
	 * Close the connection instead of sending the next request; pings do not count.
	 */
	void cutBeforeNextRequest();

	/**
	 * Close the connection after the next request was applied, instead of sending its
	 * reply.
	 */
	void cutBeforeNextReply();

	/**
	 * Close the connection after the next request that creates nodes was applied, instead
	 * of sending its reply.
	 */
	void cutBeforeCreated();

	/**
	 * Lose the next event of a watch, until it is switched off again.
	 */
	void loseNextEvent(boolean lost);

	/**
	 * Lose everything in both directions, and tell neither end. The client notices when
	 * it has heard nothing for its read time-out; later connections are not affected.
	 */
	void blackHole();

	/**
	 * Let all messages, also those of later connections, take up to this much longer, 0
	 * for none.
	 */
	void delay(long nanos);

	/**
	 * Refuse all connections until it is switched off again. An open one stays.
	 */
	void refuse(boolean refused);

	/**
	 * Return the server to which the client is connected, or 0.
	 */
	int server();

}
