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

package io.github.zklock.zookeeper.request;

import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * A request for one directory, which goes out alone or together with others, and learns
 * the same from either answer: a write, a read, or a write and a read behind it.
 */
public abstract class CombinableRequest {

	private final String directory;

	public CombinableRequest(String directory) {
		this.directory = directory;
	}

	String directory() {
		return this.directory;
	}

	/**
	 * Return about how many bytes it adds to a packet.
	 */
	int size() {
		return this.directory.length();
	}

	/**
	 * Return about how many bytes its answer had, once it has come.
	 */
	int answerSize() {
		return 0;
	}

	/**
	 * Return whether it creates a place in a queue, and reads only if it has.
	 */
	boolean isEntry() {
		return false;
	}

	/**
	 * Return what it writes, as a part of a transaction.
	 */
	@Nullable Op write() {
		return null;
	}

	/**
	 * Return what it reads once it has written.
	 */
	@Nullable Op read() {
		return null;
	}

	/**
	 * Send it in packets of its own.
	 * @param answered to run when there is nothing more to be answered
	 */
	public abstract void send(ZooKeeper zooKeeper, Runnable answered);

	/**
	 * Send what it reads in a packet of its own.
	 * @param answered to run when that is answered
	 */
	void sendRead(ZooKeeper zooKeeper, Runnable answered) {
		answered.run();
	}

	/**
	 * It cannot be sent.
	 */
	public abstract void fail(int rc);

	/**
	 * The write is answered.
	 * @param rc the code that it would have been answered by alone
	 * @param result the result if there is one
	 */
	void written(int rc, @Nullable OpResult result) {
	}

	/**
	 * The read is answered.
	 * @param rc the code that it would have been answered by alone
	 * @param result the result if there is one
	 */
	void read(int rc, @Nullable OpResult result) {
	}

}
