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

package io.github.zklock.sample.console;

import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;

/**
 * A node of this process, as the console handles it.
 *
 * @since 0.1.0
 */
public interface ConsoleNode {

	/**
	 * Return the name of the node.
	 * @return the name
	 */
	String name();

	/**
	 * Return the address of the node.
	 * @return the address
	 */
	String url();

	/**
	 * Return the context of the node.
	 * @return the context, or {@code null} while it does not run
	 */
	@Nullable ApplicationContext context();

	/**
	 * Return whether the node is about to run.
	 * @return whether it starts
	 */
	boolean isStarting();

	/**
	 * Stop the node.
	 */
	void stop();

	/**
	 * Start the node again, on the same port.
	 */
	void start();

	/**
	 * Return what is wrong with the connection of the node.
	 * @return the fault
	 */
	Fault fault();

	/**
	 * Break or mend the connection of the node to ZooKeeper.
	 * @param fault what is wrong from now on
	 */
	void become(Fault fault);

	/**
	 * End the session of the node on the server. The node is not notified.
	 * @throws Exception if ZooKeeper is not available
	 */
	void expire() throws Exception;

	/**
	 * What is wrong with a connection.
	 */
	enum Fault {

		/** Nothing. */
		NONE,

		/** Nothing goes through, and it is refused. */
		CUT,

		/** Nothing goes through, and neither side is notified. */
		PAUSED

	}

}
