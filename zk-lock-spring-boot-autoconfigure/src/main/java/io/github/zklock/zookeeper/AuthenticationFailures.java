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

package io.github.zklock.zookeeper;

import java.util.concurrent.TimeUnit;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.api.CuratorEventType;
import org.apache.curator.framework.api.CuratorListener;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows when the servers have refused the authentication of the client. ZooKeeper's
 * handle never connects again after that, and Curator neither tells nor replaces it, so
 * it is replaced here, now and then: the servers may think better of it.
 */
final class AuthenticationFailures implements CuratorListener {

	private static final Logger logger = LoggerFactory.getLogger(AuthenticationFailures.class);

	private static final long FIRST_PAUSE = TimeUnit.SECONDS.toNanos(1);

	private static final long LONGEST_PAUSE = TimeUnit.MINUTES.toNanos(1);

	private final Runnable onFailure;

	private volatile boolean failed;

	private volatile long failedAt;

	private volatile long pause = FIRST_PAUSE;

	/**
	 * Take note of failures.
	 * @param onFailure what to do at once, on the event thread
	 */
	AuthenticationFailures(Runnable onFailure) {
		this.onFailure = onFailure;
	}

	@Override
	public void eventReceived(CuratorFramework client, CuratorEvent event) {
		if (event.getType() == CuratorEventType.WATCHED && event.getWatchedEvent().getState() == KeeperState.AuthFailed
				&& !this.failed) {
			this.failedAt = System.nanoTime();
			this.failed = true;
			logger.error(
					"ZooKeeper has refused the authentication of its client, so no lock can be taken and those "
							+ "that were held are lost; check its credentials. Another attempt follows in {} ms",
					TimeUnit.NANOSECONDS.toMillis(this.pause));
			this.onFailure.run();
		}
	}

	/**
	 * The client is connected.
	 */
	void succeeded() {
		this.failed = false;
		this.pause = FIRST_PAUSE;
	}

	/**
	 * Replace the handle if that is due. May block.
	 */
	void retry(CuratorFramework client) {
		if (!this.failed || System.nanoTime() - this.failedAt < this.pause) {
			return;
		}
		this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
		this.failed = false;
		try {
			client.getZookeeperClient().reset();
		}
		catch (Exception ex) {
			this.failedAt = System.nanoTime();
			this.failed = true;
			logger.warn("The connection to ZooKeeper could not be opened again", ex);
		}
	}

}
