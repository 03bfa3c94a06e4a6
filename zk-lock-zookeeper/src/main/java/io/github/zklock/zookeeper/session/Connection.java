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

package io.github.zklock.zookeeper.session;

import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a client, as the engine sees it. The only implementation of this
 * library is {@link CuratorConnection}; another one can connect the same engine to
 * something that only behaves like ZooKeeper.
 */
public interface Connection {

	/**
	 * Return the current client. Called only while connected; after the end of a session
	 * the client is another one.
	 */
	@Nullable ZooKeeper handle();

	boolean isConnected();

	/** Return whether it is closed for good. */
	boolean isStopped();

	/** Return the namespace below which all paths are, or an empty text. */
	String namespace();

	String servers();

	/** Return how long an attempt to connect may take. */
	long timeoutMillis();

	/**
	 * Return whether the servers have refused the authentication of the current client.
	 * May block.
	 * @param unknown what to return if there is no handle that can be asked
	 */
	default boolean isRefused(boolean unknown) {
		return false;
	}

	/** Replace the client by another one. May block. */
	void reset() throws Exception;

	/**
	 * Add a listener, which is notified of changes one at a time and in their order. A
	 * refusal comes on another thread, and may come before the connection.
	 */
	void listen(Listener listener);

	void unlisten(Listener listener);

	/**
	 * Is notified of changes.
	 */
	@FunctionalInterface
	interface Listener {

		void changed(Change change);

	}

	/**
	 * The changes.
	 */
	enum Change {

		/** Connected, for the first time or again. */
		CONNECTED,

		/** Connected to a server that takes no writes. */
		READ_ONLY,

		/** Interrupted. */
		SUSPENDED,

		/** The session has ended, or must have. */
		LOST,

		/** The servers have refused the authentication of the client. */
		REFUSED

	}

}
